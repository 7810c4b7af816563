/* bswap builtins of three widths, and their round trips. */
#include <stdint.h>
#include <stdio.h>

static uint32_t swap_by_hand(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

int main(void)
{
    uint16_t h = 0x1234;
    uint32_t w = 0xdeadbeefu;
    uint64_t d = 0x0102030405060708u;
    printf("%x %x %llx\n", __builtin_bswap16(h), __builtin_bswap32(w),
           (unsigned long long)__builtin_bswap64(d));
    printf("%d\n", __builtin_bswap32(w) == swap_by_hand(w));
    printf("%d\n", __builtin_bswap64(__builtin_bswap64(d)) == d);
    uint32_t net[3];
    for (uint32_t i = 0; i < 3; i++)
        net[i] = __builtin_bswap32(i * 1000);
    const unsigned char *p = (const unsigned char *)net;
    for (unsigned i = 0; i < sizeof net; i++)
        printf("%d ", p[i]);
    putchar('\n');
    int16_t s = (int16_t)__builtin_bswap16(0x80ff);
    printf("%d\n", s);
    return p[11] % 100 + p[7] % 20;
}
