/* Each thread has an errno of its own: what fails in one is not seen in the other. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *worker(void *arg)
{
    assert(sem_trywait(&sem) == -1 && errno == EAGAIN);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&sem, 0, 0);
    errno = 0;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(errno == 0);
    return 0;
}
