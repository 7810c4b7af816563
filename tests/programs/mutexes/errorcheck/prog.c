/* An error-checking mutex refuses a second lock and a foreign unlock. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#ifdef STATIC
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t m;
#endif

static void *run(void *arg)
{
    (void)arg;
    assert(pthread_mutex_unlock(&m) == EPERM);
    return NULL;
}

int main(void)
{
    pthread_t t;

#ifndef STATIC
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
#endif
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
