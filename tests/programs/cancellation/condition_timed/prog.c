/* A wait with a time limit ends by the limit, by a cancellation, or not at all. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int late;

static void give_back(void *m)
{
    pthread_mutex_unlock(m);
}

static void *wait(void *unused)
{
    struct timespec soon = {0, 0};

    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    while (!late)
        late = pthread_cond_timedwait(&ready, &mutex, &soon) != 0;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
#ifdef ALWAYS
    assert(result == PTHREAD_CANCELED);
#else
    assert((result == PTHREAD_CANCELED) == !late);
#endif
    pthread_mutex_lock(&mutex);
    return 0;
}
