/* A long double has ten bytes: no machine promises to store them in one step. */
#include <assert.h>
#include <pthread.h>

static long double g = 1;

static void *writer(void *arg)
{
    g = 3;
    return arg;
}

int main(void)
{
    pthread_t t;
    long double seen;

    pthread_create(&t, 0, writer, 0);
    seen = g;
    pthread_join(t, 0);
    assert(seen == 1 || seen == 3);
    return 0;
}
