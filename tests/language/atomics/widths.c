/* Atomic objects of each integer width wrap at that width. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    _Atomic uint8_t b = 250;
    _Atomic int16_t h = -3;
    _Atomic uint32_t w = 0xfffffff0u;
    _Atomic int64_t d = INT64_C(1) << 33;
    atomic_bool flag = false;
    atomic_fetch_add(&b, 10);
    atomic_fetch_sub(&h, 100);
    atomic_fetch_add(&w, 0x20);
    atomic_fetch_add(&d, -1);
    printf("%u %d %u %lld\n", b, h, w, (long long)d);
    b *= 40;
    h -= 29;
    h &= 0x7f;
    w ^= 0xff;
    d >>= 4;
    printf("%u %d %u %lld\n", b, h, w, (long long)d);
    bool was = atomic_exchange(&flag, true);
    printf("%d %d\n", was, atomic_load(&flag));
    uint8_t e = 160;
    bool ok = atomic_compare_exchange_strong(&b, &e, 3);
    printf("%d %u %u\n", ok, b, e);
    int16_t old = h++;
    printf("%d %d\n", old, h);
    printf("%zu %zu %zu %zu\n", sizeof b, sizeof h, sizeof w, sizeof d);
    return h - b;
}
