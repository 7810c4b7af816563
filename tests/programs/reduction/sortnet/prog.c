/* Threads sort twice as many elements with Batcher's odd-even merge sort: each takes a comparison
   of a stage, and waits until both elements have the generation that it expects. -DTHREADS=N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#define SIZE (2 * THREADS)

static int x[SIZE];
static atomic_int generation[SIZE];

static void await(int i, int wanted)
{
    while (atomic_load(&generation[i]) != wanted)
        ;
}

static void compare(int i, int j, const int *age)
{
    int low, high, next_low = age[i] + 1, next_high = age[j] + 1;

    await(i, age[i]);
    await(j, age[j]);
    low = x[i];
    high = x[j];
    if (low > high) {
        x[i] = high;
        x[j] = low;
    }
    atomic_store(&generation[i], next_low);
    atomic_store(&generation[j], next_high);
}

static void *sort(void *arg)
{
    int id = (int)(intptr_t)arg, top = 1, age[SIZE] = {0};

    while (2 * top < SIZE)
        top *= 2;
    for (int p = top; p > 0; p /= 2)
        for (int q = top, r = 0, d = p; d > 0; d = q > p ? q - p : 0, q /= 2, r = p)
            for (int i = 0, turn = 0; i < SIZE - d; i++)
                if ((i & p) == r) {
                    if (turn++ == id)
                        compare(i, i + d, age);
                    age[i]++;
                    age[i + d]++;
                }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < SIZE; i++)
        x[i] = SIZE - i;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, sort, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 1; i < SIZE; i++)
        assert(x[i - 1] <= x[i]);
    return 0;
}
