/* A waiter is cancelled: it has the mutex again when its handler gives it back. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go, held;

static void give_back(void *m)
{
    held++;
#ifndef FORGETS
    pthread_mutex_unlock(m);
#endif
}

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    while (!go)
        pthread_cond_wait(&ready, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, wait, NULL);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&mutex);
    assert(held == 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}
