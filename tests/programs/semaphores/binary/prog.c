/* A semaphore with one permit excludes; with two it does not. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t permits;
static int counter;

static void *run(void *arg)
{
    (void)arg;
    sem_wait(&permits);
    counter++;
    sem_post(&permits);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    sem_init(&permits, 0, PERMITS);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    sem_destroy(&permits);
    return 0;
}
