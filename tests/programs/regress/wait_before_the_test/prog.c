/* The test comes after the wait: when the flag is set before, nobody signals any more. A wake-up
 * without a signal may come, but need not. */
#include <pthread.h>

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

    pthread_create(&t, 0, setter, 0);
    pthread_mutex_lock(&m);
    do
        pthread_cond_wait(&c, &m);
    while (!ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
