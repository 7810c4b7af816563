/* A static local is one object for all threads. */
#include <assert.h>
#include <pthread.h>

static int next(void)
{
    static int n;

    return ++n;
}

static void *worker(void *arg)
{
    next();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    next();
    pthread_join(t, 0);
    assert(next() == 3);
    return 0;
}
