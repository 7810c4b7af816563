/* Unsigned division and remainder where the top bit is set. */
#include <stdint.h>
#include <stdio.h>

static unsigned digit_sum(uint64_t v, unsigned base)
{
    unsigned s = 0;
    while (v) {
        s += (unsigned)(v % base);
        v /= base;
    }
    return s;
}

int main(void)
{
    uint32_t a = 0xfffffff0u;
    uint64_t b = 0xfffffffffffffff0u;
    printf("%u %u\n", a / 7, a % 7);
    printf("%llu %llu\n", (unsigned long long)(b / 7), (unsigned long long)(b % 7));
    printf("%u %u\n", a / 0x80000000u, a % 0x80000000u);
    printf("%llu\n", (unsigned long long)(b / 0x8000000000000001u));
    printf("%u\n", (uint8_t)((uint8_t)0xf0 / (uint8_t)7));
    unsigned s10 = digit_sum(b, 10), s16 = digit_sum(b, 16), s2 = digit_sum(b, 2);
    printf("%u %u %u\n", s10, s16, s2);
    printf("%d\n", (int)((unsigned)-7 / 2u == (unsigned)(-7 / 2)));
    return (int)(s10 % 126);
}
