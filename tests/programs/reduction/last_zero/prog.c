/* One thread looks for the last zero of an array, the others make each cell one more than the cell
   before it. -DTHREADS=N, all of them counted; with -DUPWARDS the first zero after cell 0. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

static atomic_int array[THREADS];

static void *search(void *arg)
{
    (void)arg;
#ifdef UPWARDS
    for (int i = 1; i < THREADS && array[i] != 0; i++)
        ;
#else
    int i = THREADS - 1;

    while (array[i] != 0)
        i--;
    assert(i >= 0);
#endif
    return NULL;
}

static void *work(void *arg)
{
    int j = (int)(intptr_t)arg;

    array[j] = array[j - 1] + 1;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    pthread_create(&t[0], NULL, search, NULL);
    for (int j = 1; j < THREADS; j++)
        pthread_create(&t[j], NULL, work, (void *)(intptr_t)j);
    for (int j = 0; j < THREADS; j++)
        pthread_join(t[j], NULL);
    return 0;
}
