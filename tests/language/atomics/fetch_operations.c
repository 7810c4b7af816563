/* atomic_fetch_* return the old value. */
#include <stdatomic.h>
#include <stdio.h>

int main(void)
{
    atomic_int n = 10;
    int a = atomic_fetch_add(&n, 5);
    int b = atomic_fetch_sub(&n, 20);
    printf("%d %d %d\n", a, b, atomic_load(&n));
    atomic_uint u = 0xf0;
    unsigned c = atomic_fetch_or(&u, 0x0f);
    unsigned d = atomic_fetch_and(&u, 0x3c);
    unsigned e = atomic_fetch_xor(&u, 0xff);
    printf("%x %x %x %x\n", c, d, e, atomic_load(&u));
    atomic_store(&n, -1);
    printf("%d\n", atomic_exchange(&n, 77));
    n++;
    n += 3;
    --n;
    printf("%d\n", n);
    unsigned f = atomic_fetch_sub_explicit(&u, 0xc4, memory_order_relaxed);
    printf("%x %x\n", f, atomic_load_explicit(&u, memory_order_acquire));
    return atomic_load(&n);
}
