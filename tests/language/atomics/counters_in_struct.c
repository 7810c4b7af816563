/* Atomic members, arrays of atomics, and atomic_init. */
#include <stdatomic.h>
#include <stdio.h>

struct stats {
    atomic_uint hits;
    _Atomic unsigned char level;
    atomic_llong bytes;
    atomic_size_t sizes[3];
};

static void record(struct stats *s, unsigned n)
{
    atomic_fetch_add_explicit(&s->hits, 1, memory_order_relaxed);
    atomic_fetch_add(&s->bytes, n);
    atomic_fetch_add(&s->sizes[n % 3], n);
    s->level |= (unsigned char)n;
}

int main(void)
{
    struct stats s;
    atomic_init(&s.hits, 0);
    atomic_init(&s.level, 0);
    atomic_init(&s.bytes, -50);
    for (int i = 0; i < 3; i++)
        atomic_init(&s.sizes[i], 1000);
    for (unsigned i = 1; i < 60; i *= 2)
        record(&s, i + 1);
    printf("%u %u %lld\n", atomic_load(&s.hits), s.level, atomic_load(&s.bytes));
    for (int i = 0; i < 3; i++)
        printf("%zu ", atomic_load(&s.sizes[i]));
    putchar('\n');
    printf("%d\n", atomic_is_lock_free(&s.hits) != 0);
    return (int)atomic_load(&s.bytes) + (int)s.hits;
}
