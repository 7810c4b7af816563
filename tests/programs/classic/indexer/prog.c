/* Threads put messages into a shared hash table; compare-exchange claims a cell, and a taken cell
   sends them to the next one. -DBROKEN claims by a test and a store: messages get lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SIZE 4
#define MESSAGES 2

static atomic_int table[SIZE];

static int claim(atomic_int *cell, int message)
{
#ifdef BROKEN
    if (*cell != 0)
        return 0;
    *cell = message;
    return 1;
#else
    int empty = 0;

    return atomic_compare_exchange_strong(cell, &empty, message);
#endif
}

static void *indexer(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int k = 0; k < MESSAGES; k++) {
        int message = 1 + id + 2 * k;
        int h = (message / 3) * 7 % SIZE;

        while (!claim(&table[h], message))
            h = (h + 1) % SIZE;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int sum = 0;

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, indexer, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int h = 0; h < SIZE; h++)
        sum += table[h];
    assert(sum == 1 + 2 + 3 + 4);
    return 0;
}
