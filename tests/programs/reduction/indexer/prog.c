/* Threads put messages into a hash table with room for all; up to eleven threads never meet there.
   -DTHREADS=N; with -DSTEP=11 every thread meets the one before it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STEP
#define STEP 1
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void *indexer(void *arg)
{
    int id = (int)(intptr_t)arg * STEP;

    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * 11 + id, h = message * 7 % SIZE, empty = 0;

        while (!atomic_compare_exchange_strong(&table[h], &empty, message)) {
            h = (h + 1) % SIZE;
            empty = 0;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, indexer, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
