/* A recursive mutex is free for others only when every lock has been undone. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int inside;

static void *run(void *arg)
{
    (void)arg;
    assert(pthread_mutex_lock(&m) == 0);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, run, NULL);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    inside = 1;
    assert(pthread_mutex_unlock(&m) == 0);
    assert(inside == 1);
    inside = 0;
#ifndef HALF
    assert(pthread_mutex_unlock(&m) == 0);
#endif
    pthread_join(t, NULL);
    return 0;
}
