/* A buffer with one slot, and one condition for both sides: two values go through in order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot;

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (slot != 0)
            pthread_cond_wait(&changed, &m);
        slot = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (slot == 0)
            pthread_cond_wait(&changed, &m);
        assert(slot == i);
        slot = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    return 0;
}
