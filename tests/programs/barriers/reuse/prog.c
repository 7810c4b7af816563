/* A barrier is as new after everybody has come: nobody is a round ahead. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int round_of[2];

static void *run(void *arg)
{
    int me = (int)(long)arg;

    for (int r = 1; r <= 2; r++) {
        round_of[me] = r;
        pthread_barrier_wait(&barrier);
        assert(round_of[1 - me] == r);
        pthread_barrier_wait(&barrier);
    }
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
    return 0;
}
