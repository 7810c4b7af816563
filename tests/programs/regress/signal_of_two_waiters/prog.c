/* Two workers wait: whom a signal wakes decides who moves next. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int jobs, closed, done, waiting;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        waiting++;
        pthread_cond_signal(&ready);
        while (!jobs && !closed)
            pthread_cond_wait(&more, &lock);
        waiting--;
        if (!jobs) {
            pthread_mutex_unlock(&lock);
            return arg;
        }
        jobs--;
        done++;
    }
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++) {
        while (waiting < 2)
            pthread_cond_wait(&ready, &lock);
        jobs++;
        pthread_cond_signal(&more);
        while (jobs)
            pthread_cond_wait(&ready, &lock);
    }
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(done == 3);
    return 0;
}
