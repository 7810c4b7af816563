/* A sequence lock: the reader repeats until the number is even and did not change. Endless or
   -DROUNDS=N writes; numbers wrap around at MASK, and a reader that sleeps for one turn of the
   numbers is fooled. -DBROKEN forgets that an odd number means a writer at work. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif
#ifndef MASK
#define MASK ~0u
#endif
#ifdef BROKEN
#define IS_BUSY(n) 0
#else
#define IS_BUSY(n) ((n) % 2 != 0)
#endif

static atomic_uint number;
static atomic_int x, y;

static void *writer(void *arg)
{
    int value = 0;

    (void)arg;
    REPEAT {
        value = (value + 1) % 3;
        number = (number + 1) & MASK;
        x = value;
        y = value;
        number = (number + 1) & MASK;
    }
    return NULL;
}

static void *reader(void *arg)
{
    unsigned before;
    int a, b;

    (void)arg;
    do {
        before = number;
        a = x;
        b = y;
    } while (IS_BUSY(before) || number != before);
    assert(a == b);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
