/* One thread writes x, the others read it. -DTHREADS=N, all of them counted. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

static atomic_int x;

static void *run(void *arg)
{
    if (arg == NULL)
        atomic_store(&x, 1);
    else
        (void)atomic_load(&x);
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
