/* A timed wait ends without a signal; with one, both results are possible. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg)
{
    (void)arg;
#ifdef SIGNAL
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

int main(void)
{
    struct timespec soon = {1, 0};
    pthread_t t;
    int error;

    pthread_create(&t, NULL, signaller, NULL);
    pthread_mutex_lock(&m);
    error = pthread_cond_timedwait(&c, &m, &soon);
    assert(error == EXPECTED);
    assert(pthread_mutex_unlock(&m) == 0);
    pthread_join(t, NULL);
    return 0;
}
