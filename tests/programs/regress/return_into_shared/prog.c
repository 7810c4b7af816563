/* A function returns a struct into shared memory: a reader sees half of it. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;

static struct big make(long n)
{
    struct big s = {n, n, n};

    return s;
}

static void *writer(void *arg)
{
    g = make(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    long c, a;

    pthread_create(&t, 0, writer, 0);
    c = g.c;
    a = g.a;
    pthread_join(t, 0);
    assert(a == c);
    return 0;
}
