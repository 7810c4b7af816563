/* Whether a mutex becomes recursive depends on whether its attribute was set in time. */
#include <assert.h>
#include <pthread.h>

static pthread_mutexattr_t attr;
static pthread_mutex_t m;

static void *changes(void *arg)
{
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutexattr_init(&attr);
    pthread_create(&t, 0, changes, 0);
    pthread_mutex_init(&m, &attr);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}
