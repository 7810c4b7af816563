/*
 * A worker pool: jobs in a queue, workers that sleep while there is none, and a signal for each job.
 * Whom a signal wakes is open; under a schedule it is the worker whose turn it is.
 *
 *   WORKERS  threads that work       (default 2)
 *   JOBS     jobs that are submitted (default 3)
 */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;  /* there is a job, or the pool is closed */
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER; /* a worker waits, or a job is done */
static int queue[JOBS], head, tail;
static int idle, done, sum, closed;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        idle++;
        pthread_cond_signal(&ready);
        while (head == tail && !closed)
            pthread_cond_wait(&more, &lock);
        idle--;
        if (head == tail)
            break;
        int job = queue[head++];
        pthread_mutex_unlock(&lock);
        int result = job * job;
        pthread_mutex_lock(&lock);
        sum += result;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void submit(int job)
{
    pthread_mutex_lock(&lock);
    queue[tail++] = job;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t threads[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    while (idle < WORKERS)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 1; i <= JOBS; i++)
        submit(i);
    pthread_mutex_lock(&lock);
    while (done < JOBS)
        pthread_cond_wait(&ready, &lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(sum == JOBS * (JOBS + 1) * (2 * JOBS + 1) / 6);
    return 0;
}
