/* The loop tests again, but before that a wake-up without a signal is taken for an error. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    struct timespec now = {0, 0};

    pthread_mutex_lock(&m);
    while (!ready) {
        int s = pthread_cond_timedwait(&c, &m, &now);
        assert(s == ETIMEDOUT);
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
