/* The victim is an input. The thief looks before it locks, and takes what is no longer there. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static struct queue { pthread_mutex_t mutex; int count; } queues[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 1}, {PTHREAD_MUTEX_INITIALIZER, 1},
};

static void *steals(void *arg)
{
    struct queue *q = &queues[__VERIFIER_nondet_bool()];

    if (q->count > 0) {
        pthread_mutex_lock(&q->mutex);
        q->count--;
        assert(q->count >= 0);
        pthread_mutex_unlock(&q->mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, steals, 0);
    steals(0);
    pthread_join(t, 0);
    return 0;
}
