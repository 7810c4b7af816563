/* Threads in a ring: each sets the next one's cell if its own is 0, twice; a test is one step, an
   assignment another. -DTHREADS=N. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int x[THREADS];

static void *run(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int k = 0; k < 2; k++)
        if (atomic_load(&x[id]) == 0)
            atomic_store(&x[(id + 1) % THREADS], 1);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
