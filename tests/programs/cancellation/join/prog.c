/* A thread is cancelled while it waits for the end of another, which can then still be joined. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static pthread_t worker;

static void *work(void *unused)
{
    sem_wait(&go);
    return unused;
}

static void *collect(void *unused)
{
    pthread_join(worker, NULL);
    return unused;
}

int main(void)
{
    pthread_t collector;
    void *result;

    sem_init(&go, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&collector, NULL, collect, NULL);
#ifdef EITHER
    sem_post(&go);
    pthread_cancel(collector);
    pthread_join(collector, &result);
#else
    pthread_cancel(collector);
    pthread_join(collector, &result);
    sem_post(&go);
#endif
#ifdef JOINED
    assert(result == NULL);
#elif defined(CANCELLED) || !defined(EITHER)
    assert(result == PTHREAD_CANCELED);
#endif
    if (result == PTHREAD_CANCELED)
        pthread_join(worker, NULL);
    return 0;
}
