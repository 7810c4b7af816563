/* A wake-up is lost, because the flag is set without the mutex; a third thread runs on without
 * effect, so not everybody waits. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static volatile int ready, stop;

static void *idles(void *arg)
{
    while (!stop)
        sched_yield();
    return arg;
}

static void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    stop = 1;
    return arg;
}

int main(void)
{
    pthread_t idler, waiter;

    pthread_create(&idler, 0, idles, 0);
    pthread_create(&waiter, 0, waits, 0);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_join(waiter, 0);
    pthread_join(idler, 0);
    return 0;
}
