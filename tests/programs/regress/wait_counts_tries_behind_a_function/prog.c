/* The function that waits gives up after some tries, which its callers count. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void rest(int tries)
{
    if (tries > 0)
        exit(ready);
    pthread_cond_wait(&c, &m);
}

static int more(int tries)
{
    pthread_cond_wait(&c, &m);
    return tries + 1;
}

static void *waiter(void *arg)
{
    int tries = 0;

    pthread_mutex_lock(&m);
    if (arg)
        while (!ready)
            rest(tries++);
    else
        while (!ready && tries < 1)
            tries = more(tries);
    assert(ready);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
