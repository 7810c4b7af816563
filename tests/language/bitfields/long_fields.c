/* Fields wider than 32 bits inside a 64-bit unit. */
#include <stdint.h>
#include <stdio.h>

struct stamp {
    uint64_t seconds : 34;
    uint64_t nanos : 30;
};

struct split {
    int64_t hi : 40;
    uint64_t lo : 24;
};

int main(void)
{
    struct stamp s = { .seconds = 17179869183u, .nanos = 999999999 };
    printf("%llu %llu\n", (unsigned long long)s.seconds, (unsigned long long)s.nanos);
    s.seconds += 2;
    s.nanos /= 1000;
    printf("%llu %llu\n", (unsigned long long)s.seconds, (unsigned long long)s.nanos);
    struct split p = { .hi = -123456789012, .lo = 0xabcdef };
    printf("%lld %llx\n", (long long)p.hi, (unsigned long long)p.lo);
    p.hi >>= 8;
    p.lo <<= 4;
    printf("%lld %llx\n", (long long)p.hi, (unsigned long long)p.lo);
    printf("%zu %zu\n", sizeof s, sizeof p);
    return (int)(s.nanos % 100) + (p.hi < 0);
}
