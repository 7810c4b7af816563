/* Strong and weak compare-and-exchange, success and failure. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static int increment_below(atomic_int *p, int limit)
{
    int old = atomic_load(p);
    while (old < limit)
        if (atomic_compare_exchange_weak(p, &old, old + 1))
            return 1;
    return 0;
}

int main(void)
{
    atomic_int n = 5;
    int expected = 4;
    bool ok = atomic_compare_exchange_strong(&n, &expected, 9);
    printf("%d %d %d\n", ok, expected, atomic_load(&n));
    ok = atomic_compare_exchange_strong(&n, &expected, 9);
    printf("%d %d %d\n", ok, expected, atomic_load(&n));
    int done = 0;
    for (int i = 0; i < 6; i++)
        done += increment_below(&n, 12);
    printf("%d %d\n", done, atomic_load(&n));
    atomic_long l = -1;
    long le = -1;
    ok = atomic_compare_exchange_strong_explicit(&l, &le, 1L << 40, memory_order_acq_rel, memory_order_acquire);
    printf("%d %ld\n", ok, atomic_load(&l));
    return done * 10 + atomic_load(&n);
}
