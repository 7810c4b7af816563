/* A thread without any event but its end: the key may be deleted before that. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int called;

static void destroy(void *value)
{
    called = 1;
}

static void *run(void *arg)
{
    pthread_setspecific(key, &key);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, run, 0);
    pthread_key_delete(key);
    pthread_join(t, 0);
    assert(called);
    return 0;
}
