/* Testing the predicate once is enough only if nothing wakes without a signal. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;

static void *waiter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    TEST (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_cond_init(&c, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    pthread_join(t, NULL);
    pthread_cond_destroy(&c);
    return 0;
}
