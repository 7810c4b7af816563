/* Ticket lock with a waiting array: threads that are not next wait on a cell of the array, which
   changes when they become next. -DTHREADS=N, and -DCELLS=N for the size of the array. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef CELLS
#define CELLS 4
#endif
#define NEAR 1

static atomic_int ticket, grant, waiting[CELLS];

static void lock(void)
{
    int mine = atomic_fetch_add(&ticket, 1), distance = mine - atomic_load(&grant);

    if (distance == 0)
        return;
    while (distance > NEAR) {
        int seen = atomic_load(&waiting[mine % CELLS]);

        distance = mine - atomic_load(&grant);
        if (distance > NEAR)
            while (atomic_load(&waiting[mine % CELLS]) == seen)
                ;
    }
    while (atomic_load(&grant) != mine)
        ;
}

static void unlock(void)
{
    int following = atomic_load(&grant) + 1;

    atomic_store(&grant, following);
    atomic_fetch_add(&waiting[(following + NEAR) % CELLS], 1);
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
