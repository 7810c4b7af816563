/* A post hands a value over without a lock, and the waiter need not be the one who posts. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t full, empty;
static int slot;

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&full);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;

    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        sem_wait(&full);
        assert(slot == i);
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    return 0;
}
