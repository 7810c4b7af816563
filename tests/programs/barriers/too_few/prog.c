/* A barrier for three at which only two meet; a barrier for one stops nobody. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier, alone;

static void *run(void *arg)
{
    (void)arg;
    assert(pthread_barrier_wait(&alone) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t t;

    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_barrier_init(&alone, NULL, 1);
    pthread_barrier_init(&barrier, NULL, NEEDED);
    pthread_create(&t, NULL, run, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return 0;
}
