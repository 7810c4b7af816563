/* Arguments and results of threads in structures, one for each. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct job {
    int in;
    int out;
};

static void *square(void *arg)
{
    struct job *job = arg;

    job->out = job->in * job->in;
    return job;
}

int main(void)
{
    struct job jobs[2] = {{2, 0}, {3, 0}};
    pthread_t t[2];
    void *done;

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, square, &jobs[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], &done);
        assert(done == &jobs[i]);
    }
    assert(jobs[0].out == 4 && jobs[1].out == 9);
    return 0;
}
