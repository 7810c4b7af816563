/* Two permits let two of three threads in together, never three. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t permits;
static atomic_int inside;

static void *run(void *arg)
{
    (void)arg;
    sem_wait(&permits);
    assert(atomic_fetch_add(&inside, 1) < MOST);
    atomic_fetch_sub(&inside, 1);
    sem_post(&permits);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    sem_init(&permits, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
