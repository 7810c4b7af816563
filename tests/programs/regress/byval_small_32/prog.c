/* In 32 bits even a struct of two ints is passed by value in memory. */
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
static struct pair g;

static void take(struct pair s)
{
    assert(s.a == s.b);
}

static void *reader(void *arg)
{
    take(g);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reader, 0);
    g.a = 1;
    g.b = 1;
    pthread_join(t, 0);
    return 0;
}
