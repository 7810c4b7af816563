/* The destructor of a key reads a global that main writes. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

static void destructor(void *value)
{
    int once = x, again = x;

    assert(once == again);
}

static void *worker(void *arg)
{
    pthread_setspecific(key, &key);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, destructor);
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
