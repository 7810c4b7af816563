#include <assert.h>
#include <pthread.h>

/* Two workers with a queue each; who has nothing to do steals from a queue that the input picks.
   The address of a lock that is not known might be, as far as a step can tell, that of a job. */

struct queue {
    int *job[2];
    int jobs;
    pthread_mutex_t lock;
};

static struct queue queues[2];
static int first = 1, second = 2, done[2];
_Bool __VERIFIER_nondet_bool(void);

static int *take(unsigned q)
{
    int *job = 0;
    pthread_mutex_lock(&queues[q].lock);
    if (queues[q].jobs > 0) {
        queues[q].jobs--;
        job = queues[q].job[queues[q].jobs];
    }
    pthread_mutex_unlock(&queues[q].lock);
    return job;
}

static void *worker(void *own)
{
    int *job = take(__VERIFIER_nondet_bool());
    if (job)
        done[own != 0] += *job;
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&queues[i].lock, 0);
    queues[0].job[0] = &first;
    queues[0].jobs = 1;
    queues[1].job[0] = &second;
    queues[1].jobs = 1;
    pthread_create(&thread, 0, worker, 0);
    worker(&first);
    pthread_join(thread, 0);
    assert(done[0] + done[1] <= 3);
    return 0;
}
