/* A barrier has 20 bytes in 32 bits: its state fits in, and its neighbour stays as it is. */
#include <assert.h>
#include <pthread.h>

static struct { pthread_barrier_t barrier; int after; } g = {.after = 7};
static pthread_barrier_t alone;

static void *worker(void *arg)
{
    pthread_barrier_wait(&g.barrier);
    pthread_barrier_wait(&alone);
    assert(g.after == 7);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&g.barrier, 0, 2);
    pthread_barrier_init(&alone, 0, 2);
    assert(g.after == 7);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
