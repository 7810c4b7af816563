/* What programs do with the result of a wait: it is 0, so they do nothing but test again. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void check(int s, int allowed)
{
    if (s != 0 && s != allowed)
        exit(1);
}

static void rest(void)
{
    check(pthread_cond_wait(&c, &m), 0);
}

static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    ready++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    struct timespec now = {0, 0};
    pthread_t t;
    int s;

    pthread_create(&t, 0, setter, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        rest();
    while (!ready)
        if ((s = pthread_cond_wait(&c, &m)) != 0) {
            ready = 7;
            abort();
        }
    while (!ready) {
        s = pthread_cond_timedwait(&c, &m, &now);
        check(s, ETIMEDOUT);
        if (s == ETIMEDOUT)
            break;
    }
    assert(ready == 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
