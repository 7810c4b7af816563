/* A timed wait that times out again and again, for what nobody does. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, tried;

static void *wait_for_it(void *arg)
{
    struct timespec soon = {0, 0};

    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_timedwait(&c, &m, &soon);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, wait_for_it, 0);
    pthread_mutex_lock(&m);
    tried = 1;
    if (!tried)
        ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
