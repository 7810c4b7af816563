/* sem_getvalue stores the value where another thread reads. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int value;

static void *asks(void *arg)
{
    sem_getvalue(&sem, &value);
    return arg;
}

int main(void)
{
    pthread_t t;
    int once, again;

    sem_init(&sem, 0, 3);
    pthread_create(&t, 0, asks, 0);
    once = value;
    again = value;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
