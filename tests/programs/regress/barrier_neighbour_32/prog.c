/* The int behind a barrier is written by a thread that waits at it, and must not be lost. */
#include <assert.h>
#include <pthread.h>

static struct { pthread_barrier_t barrier; int after; } g;

static void *worker(void *arg)
{
    g.after = 7;
    pthread_barrier_wait(&g.barrier);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&g.barrier, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&g.barrier);
    assert(g.after != 7);
    pthread_join(t, 0);
    return 0;
}
