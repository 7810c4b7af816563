/* One thread waits at the barrier, the other spins until the first has passed it. */
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int passed;

static void *comes(void *arg)
{
    pthread_barrier_wait(&barrier);
    passed = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t, 0, comes, 0);
    while (!passed)
        ;
    pthread_barrier_wait(&barrier);
    pthread_join(t, 0);
    return 0;
}
