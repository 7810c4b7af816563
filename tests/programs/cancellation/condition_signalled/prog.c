/* Who was signalled and then cancelled, before it could go on, may do either. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waits, go;

static void give_back(void *m)
{
    pthread_mutex_unlock(m);
}

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    waits = 1;
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
    pthread_mutex_lock(&mutex);
    if (waits) {
        go = 1;
        pthread_cond_signal(&ready);
        pthread_cancel(thread);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, &result);
#if defined(CANCELLED)
        assert(result == PTHREAD_CANCELED);
#elif defined(GOES_ON)
        assert(result == NULL);
#else
        assert(result == PTHREAD_CANCELED || result == NULL);
#endif
    }
    return 0;
}
