/* An input decides which mutex is given back, and it may be one that is not held. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t m[2];

static void *worker(void *arg)
{
    pthread_mutex_lock(&m[0]);
    pthread_mutex_unlock(&m[__VERIFIER_nondet_bool()]);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_init(&m[0], 0);
    pthread_mutex_init(&m[1], 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
