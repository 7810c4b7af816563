/*
 * Ring communication with two barriers.
 *
 * In each round every thread writes the phase (0 and 1 in turn) into its own
 * slot, and reads the slot of its neighbour once all have written. The second
 * barrier keeps fast threads from writing before the slow ones have read.
 *
 * What to see: safe, and no race on slot, although there is no lock. Without
 * the second wait the assertion fails.
 *
 * Parameters: -DTHREADS=2
 *             -DROUNDS=R  each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, the benchmark
 * "barrier".
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static pthread_barrier_t all_written, all_read;
static int slot[THREADS];

static void *member(void *arg)
{
    int id = (int)(intptr_t)arg;
    int neighbour = (id + 1) % THREADS;
    int phase = 1;

    REPEAT {
        slot[id] = phase;
        pthread_barrier_wait(&all_written);
        assert(slot[neighbour] == phase);
        pthread_barrier_wait(&all_read);
        phase = 1 - phase;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&all_written, NULL, THREADS);
    pthread_barrier_init(&all_read, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, member, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&all_written);
    pthread_barrier_destroy(&all_read);
    return 0;
}
