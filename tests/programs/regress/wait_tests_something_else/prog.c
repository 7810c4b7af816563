/* The loop around the wait tests something else than what the thread waits for. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_open = 1, item;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (!item)
        do
            pthread_cond_wait(&condition, &mutex);
        while (!is_open);
    assert(item == 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, consumer, 0);
    pthread_mutex_lock(&mutex);
    item = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
