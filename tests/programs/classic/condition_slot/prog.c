/* One slot, an endless producer and CONSUMERS endless consumers, all on one condition variable:
   with two consumers, signal may wake the wrong one and everybody sleeps; broadcast is right. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, slot, expected;

static void notify(void)
{
#ifdef BROADCAST
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void *producer(void *arg)
{
    int bit = 0;

    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&changed, &m);
        slot = bit;
        full = 1;
        bit = 1 - bit;
        notify();
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&changed, &m);
        assert(slot == expected);
        expected = 1 - expected;
        full = 0;
        notify();
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[1 + CONSUMERS];

    pthread_create(&t[0], NULL, producer, NULL);
    for (int i = 1; i <= CONSUMERS; i++)
        pthread_create(&t[i], NULL, consumer, NULL);
    for (int i = 0; i <= CONSUMERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
