/* A sequence lock: writers make the sequence odd, write, and make it even; readers wait while it is
   odd, and read again when it has changed. -DTHREADS=N, of which -DREADERS=N read. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef READERS
#define READERS (THREADS - 1)
#endif

static atomic_int sequence, a, b;

static void *reader(void *arg)
{
    int before, one, other;

    (void)arg;
    do {
        while ((before = atomic_load(&sequence)) % 2)
            ;
        one = atomic_load(&a);
        other = atomic_load(&b);
    } while (atomic_load(&sequence) != before);
    assert(one == other);
    return NULL;
}

static void *writer(void *arg)
{
    int before, value;

    (void)arg;
    do {
        while ((before = atomic_load(&sequence)) % 2)
            ;
    } while (!atomic_compare_exchange_strong(&sequence, &before, before + 1));
    value = atomic_load(&a) + 1;
    atomic_store(&a, value);
    atomic_store(&b, value);
    atomic_store(&sequence, before + 2);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, i < READERS ? reader : writer, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(a == THREADS - READERS && b == a);
    return 0;
}
