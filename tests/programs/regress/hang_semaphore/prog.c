/* Nobody posts; one thread tries for ever, the other waits. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *waits(void *arg)
{
    sem_wait(&sem);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&sem, 0, 0);
    pthread_create(&t, 0, waits, 0);
    while (sem_trywait(&sem) != 0)
        ;
    pthread_join(t, 0);
    return 0;
}
