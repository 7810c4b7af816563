/* A thread that ends in the routine has not done it: the next one does. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void routine(void)
{
    if (++calls == 1)
        pthread_exit(0);
}

static void *run(void *arg)
{
    pthread_once(&once, routine);
    assert(calls == 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(calls == 2);
    return 0;
}
