/* A signal is not lost with a waiter that is cancelled: POSIX has it wake another one. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go;

static void give_back(void *m)
{
    pthread_mutex_unlock(m);
}

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    while (!go)
        pthread_cond_wait(&ready, &mutex);
    pthread_cond_signal(&ready);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, wait, NULL);
    pthread_create(&second, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    pthread_cancel(first);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
