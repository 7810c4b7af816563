/* A function that never returns is called after each wake-up; others see what it does first. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static int failed;

static void fail(void)
{
    failed = 1;
    pthread_mutex_unlock(&m);
    exit(1);
}

static void *waiter(void *arg)
{
    int strict = arg != 0;

    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
        if (strict)
            fail();
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, &ready);
    pthread_mutex_lock(&m);
    assert(!failed);
    exit(0); /* nobody has signalled */
}
