/* The loop tests again, but before that a wake-up without a signal is taken for an error. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, over;

static void *waiter(void *arg)
{
    struct timespec now = {0, 0};

    pthread_mutex_lock(&m);
    while (!ready) {
        int s = pthread_cond_timedwait(&c, &m, &now);
#if HOW == 0
        assert(s == ETIMEDOUT);
#elif HOW == 1
        if (s == 0)
            abort();
#elif HOW == 2
        if (s == 0)
            exit(1);
#endif
    }
    pthread_mutex_unlock(&m);
    return arg;
}

static void at_end(void)
{
    assert(HOW != 2 || over);
}

int main(void)
{
    pthread_t t;

    atexit(at_end);
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    over = 1;
    return 0;
}
