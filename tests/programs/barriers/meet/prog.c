/* What was written before the barrier is seen behind it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int x[2];

static void *run(void *arg)
{
    int me = (int)(long)arg;

    x[me] = 1;
#ifndef WITHOUT
    pthread_barrier_wait(&barrier);
#endif
    assert(x[1 - me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_barrier_init(&barrier, NULL, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
