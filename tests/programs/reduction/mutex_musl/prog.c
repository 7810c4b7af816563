/* A mutex like that of musl: a word, and a count of those who wait and mark the word; waiting is a
   loop of loads where a real one sleeps. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { FREE, TAKEN, MARKED };

static atomic_int word, waiters, woken;

static int try(void)
{
    int seen = FREE;

    return atomic_compare_exchange_strong(&word, &seen, TAKEN);
}

static void lock(void)
{
    while (!try()) {
        int seen = TAKEN;

        atomic_fetch_add(&waiters, 1);
        atomic_compare_exchange_strong(&word, &seen, MARKED);
        while (atomic_load(&word) == MARKED)
            ;
        atomic_fetch_sub(&waiters, 1);
    }
}

static void unlock(void)
{
    int waited = atomic_load(&waiters);

    if (atomic_exchange(&word, FREE) == MARKED || waited)
        atomic_fetch_add(&woken, 1);
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
