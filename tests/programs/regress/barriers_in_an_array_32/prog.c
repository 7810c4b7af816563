/* Two barriers side by side, used in turn. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barriers[2];
static int x;

static void *worker(void *arg)
{
    x = 1;
    pthread_barrier_wait(&barriers[0]);
    pthread_barrier_wait(&barriers[1]);
    assert(x == 2);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_barrier_init(&barriers[1], 0, 2);
    pthread_barrier_init(&barriers[0], 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&barriers[0]);
    assert(x == 1);
    x = 2;
    pthread_barrier_wait(&barriers[1]);
    pthread_join(t, 0);
    return 0;
}
