/* Two workers, a queue with a mutex each; who runs dry steals from the other. Each task runs
 * once. */
#include <assert.h>
#include <pthread.h>

static struct queue { pthread_mutex_t mutex; int count; } queues[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 1}, {PTHREAD_MUTEX_INITIALIZER, 1},
};
static int done[2];

static int take(struct queue *q)
{
    int got = 0;

    pthread_mutex_lock(&q->mutex);
    if (q->count > 0) {
        q->count--;
        got = 1;
    }
    pthread_mutex_unlock(&q->mutex);
    return got;
}

static void *worker(void *arg)
{
    long me = (long)arg;

    while (take(&queues[me]) || take(&queues[1 - me]))
        done[me]++;
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, (void *)1);
    worker((void *)0);
    pthread_join(t, 0);
    assert(done[0] + done[1] == 2);
    return 0;
}
