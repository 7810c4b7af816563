/* timedlock gives up on a mutex that stays locked, and takes one that is free. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    struct timespec soon = {1, 0};
    int error = pthread_mutex_timedlock(&m, &soon);

    (void)arg;
    assert(error == EXPECTED);
    if (error == 0)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

#ifndef FREE
    pthread_mutex_lock(&m);
#endif
    pthread_create(&t, NULL, run, NULL);
#ifdef EARLY
    pthread_mutex_unlock(&m);
#endif
    pthread_join(t, NULL);
    return 0;
}
