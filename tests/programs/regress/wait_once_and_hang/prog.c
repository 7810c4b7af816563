/* Waiting without a loop and without a predicate: the signal may have come before. That a wake-up
 * without a signal might help does not make it right. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signals(void *arg)
{
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, signals, 0);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
