/* A mutex of three states: free, taken, and taken while others may wait; waiting is a loop of loads
   where a real one sleeps. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { FREE, TAKEN, CONTENDED };

static atomic_int state;

static void lock(void)
{
    int seen = FREE;

    if (atomic_compare_exchange_strong(&state, &seen, TAKEN))
        return;
    if (seen != CONTENDED)
        seen = atomic_exchange(&state, CONTENDED);
    while (seen != FREE) {
        while (atomic_load(&state) == CONTENDED)
            ;
        seen = atomic_exchange(&state, CONTENDED);
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&state, 1) != TAKEN)
        atomic_store(&state, FREE);
}

static int x, count;

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    lock();
    x = id;
    assert(x == id);
    count++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
    return 0;
}
