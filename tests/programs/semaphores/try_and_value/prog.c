/* trywait says EAGAIN through errno, which each thread has for itself; getvalue counts. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *run(void *arg)
{
    int value;

    (void)arg;
    errno = 0;
    assert(sem_getvalue(&s, &value) == 0 && value == 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    errno = 0;
    assert(sem_init(&s, 0, 0) == 0);
    assert(sem_post(&s) == 0);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    assert(errno == 0);
    return 0;
}
