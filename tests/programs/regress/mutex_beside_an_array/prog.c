/* A mutex lies in the same struct as an array that is indexed by an input: what is stored into the
 * array does not touch the mutex. */
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static struct { pthread_mutex_t mutex; unsigned head; int tasks[2]; } queue = {
    PTHREAD_MUTEX_INITIALIZER,
};

static void *worker(void *arg)
{
    pthread_mutex_lock(&queue.mutex);
    queue.tasks[queue.head % 2] = 1;
    pthread_mutex_unlock(&queue.mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    queue.head = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
