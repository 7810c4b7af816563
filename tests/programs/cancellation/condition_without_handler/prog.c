/* Without a handler, who is cancelled while he waits keeps the mutex for ever. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!go)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    return 0;
}
