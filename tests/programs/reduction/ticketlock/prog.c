/* Ticket lock: each thread draws a number and waits until it is served. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int next, served;

static void lock(void)
{
    int mine = atomic_fetch_add(&next, 1);

    while (atomic_load(&served) != mine)
        ;
}

static void unlock(void)
{
    atomic_fetch_add(&served, 1);
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
