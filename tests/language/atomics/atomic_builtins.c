/* The __atomic_* builtins with explicit orders and plain objects. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint16_t h = 65530;
    uint16_t a = __atomic_fetch_add(&h, 10, __ATOMIC_RELAXED);
    uint16_t b = __atomic_add_fetch(&h, 1, __ATOMIC_SEQ_CST);
    printf("%u %u %u\n", a, b, h);
    int64_t d = -5, e = -5, f;
    bool ok = __atomic_compare_exchange_n(&d, &e, 50, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    printf("%d %lld\n", ok, (long long)d);
    ok = __atomic_compare_exchange_n(&d, &e, 51, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %lld %lld\n", ok, (long long)d, (long long)e);
    __atomic_load(&d, &f, __ATOMIC_ACQUIRE);
    __atomic_store_n(&d, f * 2, __ATOMIC_RELEASE);
    printf("%lld\n", (long long)__atomic_load_n(&d, __ATOMIC_SEQ_CST));
    uint8_t n = 0xf0;
    uint8_t g = __atomic_fetch_nand(&n, 0x3f, __ATOMIC_SEQ_CST);
    printf("%x %x\n", g, n);
    int *p = NULL, x = 9;
    int *was = __atomic_exchange_n(&p, &x, __ATOMIC_ACQ_REL);
    printf("%d %d\n", was == NULL, *p);
    char lock = 0;
    bool t1 = __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE);
    bool t2 = __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE);
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    printf("%d %d %d\n", t1, t2, lock);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return (int)d + b;
}
