/* A timed wait times out, and before it has the mutex again the predicate becomes true: a time-out
 * does not mean that nothing has happened. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec deadline = {1, 0};
    int result = 0;

    pthread_create(&t, 0, setter, 0);
    pthread_mutex_lock(&m);
    while (!ready && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&c, &m, &deadline);
    if (result == ETIMEDOUT)
        assert(!ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
