/* Two threads count by compare-exchange of a struct of 32 bytes, each with its own `expected`. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct large { long n, copy[3]; };
static _Atomic struct large s;

static void *counts(void *arg)
{
    struct large seen = atomic_load(&s), next;

    do {
        next = seen;
        next.n++;
        next.copy[2]++;
    } while (!atomic_compare_exchange_strong(&s, &seen, next));
    return arg;
}

int main(void)
{
    pthread_t t;
    struct large end;

    pthread_create(&t, 0, counts, 0);
    counts(0);
    pthread_join(t, 0);
    end = atomic_load(&s);
    assert(end.n == 2 && end.copy[2] == 2);
    return 0;
}
