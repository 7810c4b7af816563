/* An _Atomic structure of eight bytes, and atomic pointers. */
#include <stdatomic.h>
#include <stdio.h>

struct pair { int a, b; };

static _Atomic struct pair shared;
static int values[4] = { 1, 2, 3, 4 };
static int *_Atomic cursor = values;

int main(void)
{
    struct pair p = { 3, -4 };
    atomic_store(&shared, p);
    struct pair q = atomic_load(&shared);
    printf("%d %d\n", q.a, q.b);
    struct pair expected = { 3, -5 }, desired = { 8, 9 };
    int ok = atomic_compare_exchange_strong(&shared, &expected, desired);
    printf("%d %d %d\n", ok, expected.a, expected.b);
    ok = atomic_compare_exchange_strong(&shared, &expected, desired);
    q = atomic_exchange(&shared, p);
    printf("%d %d %d\n", ok, q.a, q.b);
    int *old = atomic_load(&cursor);
    atomic_store(&cursor, old + 2);
    printf("%d %d\n", *old, *atomic_load(&cursor));
    int *want = values + 2;
    ok = atomic_compare_exchange_strong(&cursor, &want, values + 3);
    printf("%d %d\n", ok, *cursor);
    cursor--;
    printf("%d\n", (int)(cursor - values));
    return q.a * 10 + q.b + *cursor;
}
