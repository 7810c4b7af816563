/* When a key has been deleted, its destructor is not called any more. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destructor(void *value)
{
    assert(0);
}

static void *worker(void *arg)
{
    pthread_setspecific(key, &key);
    pthread_key_delete(key);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, destructor);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
