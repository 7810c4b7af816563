/* The first destructor lets main go on, which deletes the second key before its turn, or after. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t first, second;
static sem_t posted;
static int called;

static void tell(void *value)
{
    sem_post(&posted);
}

static void destroy(void *value)
{
    called = 1;
}

static void *run(void *arg)
{
    pthread_setspecific(second, &second);
    pthread_setspecific(first, &first);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&posted, 0, 0);
    pthread_key_create(&first, tell);
    pthread_key_create(&second, destroy);
    pthread_create(&t, 0, run, 0);
    sem_wait(&posted);
    pthread_key_delete(second);
    pthread_join(t, 0);
    assert(called);
    return 0;
}
