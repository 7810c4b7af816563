/* Test and test-and-set lock: waits with loads, then tries an exchange. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int taken;

static void lock(void)
{
    do {
        while (atomic_load(&taken))
            ;
    } while (atomic_exchange(&taken, 1));
}

static void unlock(void)
{
    atomic_store(&taken, 0);
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
