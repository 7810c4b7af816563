/* A read-write lock of one counter: readers subtract 1, writers BIAS; who finds too little adds it
   again and waits. -DTHREADS=N, of which -DREADERS=N read. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef READERS
#define READERS (THREADS / 2)
#endif
#define BIAS 1024

static atomic_int word = BIAS;
static int x, count;

static void lock(int share, int least)
{
    while (atomic_fetch_sub(&word, share) < least) {
        atomic_fetch_add(&word, share);
        while (atomic_load(&word) < least)
            ;
    }
}

static void *reader(void *arg)
{
    int seen;

    (void)arg;
    lock(1, 1);
    seen = x;
    assert(x == seen);
    atomic_fetch_add(&word, 1);
    return NULL;
}

static void *writer(void *arg)
{
    int id = (int)(intptr_t)arg;

    lock(BIAS, BIAS);
    x = id;
    assert(x == id);
    count++;
    atomic_fetch_add(&word, BIAS);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, i < READERS ? reader : writer, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS - READERS);
    return 0;
}
