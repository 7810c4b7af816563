/*
 * Threads that increment a counter without a lock.
 *
 * What to see: the assertion in main fails when two threads read the same old
 * value. The accesses are also a data race.
 *
 * Parameters: -DTHREADS=2 -DROUNDS=1  (increments per thread)
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;

static void *increment(void *arg)
{
    (void)arg;

    for (int r = 0; r < ROUNDS; r++)
        counter++;
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
