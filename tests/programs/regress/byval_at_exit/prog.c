/* An exit handler passes a global by value while a thread still writes it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct big { long a, b, c; };
static struct big g;

static void take(struct big s)
{
    assert(s.a == s.c);
}

static void handler(void)
{
    take(g);
}

static void *writer(void *arg)
{
    g.a = 1;
    g.c = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    atexit(handler);
    pthread_create(&t, 0, writer, 0);
    return 0;
}
