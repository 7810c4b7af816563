/* A barrier on the heap, with exactly the room that it needs. */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    pthread_barrier_wait(arg);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);

    pthread_barrier_init(barrier, 0, 2);
    pthread_create(&t, 0, worker, barrier);
    worker(barrier);
    pthread_join(t, 0);
    pthread_barrier_destroy(barrier);
    free(barrier);
    return 0;
}
