/* Between a thread's last event and its end there is time to delete a key: no destructor runs. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t posted;
static int called;

static void destroy(void *value)
{
    called = 1;
}

static void *run(void *arg)
{
    pthread_setspecific(key, &key);
    sem_post(&posted);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&posted, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, run, 0);
    sem_wait(&posted);
    pthread_key_delete(key);
    pthread_join(t, 0);
    assert(called);
    return 0;
}
