/* Inputs decide which two of three mutexes are taken, always the lower one first: right. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t m[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};

static void *worker(void *arg)
{
    int low = __VERIFIER_nondet_bool(), high = low + 1;

    pthread_mutex_lock(&m[low]);
    pthread_mutex_lock(&m[high]);
    pthread_mutex_unlock(&m[high]);
    pthread_mutex_unlock(&m[low]);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
