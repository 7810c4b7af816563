/* trylock fails while another thread, or the same one, holds the mutex. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    int error = pthread_mutex_trylock(&m);

    (void)arg;
#ifdef ALWAYS_FREE
    assert(error == 0);
#endif
    assert(error == 0 || error == EBUSY);
    if (error == 0)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}
