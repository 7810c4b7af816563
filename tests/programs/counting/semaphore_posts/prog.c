/* Posts commute; a wait is ordered with the posts. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *run(void *arg)
{
    (void)arg;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    sem_init(&s, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
#ifdef WAIT
    sem_wait(&s);
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
