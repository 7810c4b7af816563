/* hh, h, l, ll, z, t and j length modifiers. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    signed char c = -100;
    unsigned char uc = 200;
    short s = -30000;
    unsigned short us = 60000;
    long l = -5000000000L;
    long long ll = -9223372036854775807LL - 1;
    unsigned long ul = 0xffffffffffffffff;
    size_t z = 77;
    ptrdiff_t t = -77;
    intmax_t j = INTMAX_MAX;
    printf("%hhd %hhu %hhx\n", c, uc, uc);
    printf("%hd %hu %hx\n", s, us, us);
    printf("%ld %lld\n", l, ll);
    printf("%lu %lx %lo\n", ul, ul, ul);
    printf("%zu %zx %td %jd\n", z, z, t, j);
    printf("[%12ld][%-12ld][%012ld]\n", l, l, l);
    printf("[%llx][%20llu]\n", 0x123456789abcdefULL, 18446744073709551615ULL);
    printf("%hhd %hd\n", (signed char)(unsigned char)(c - 100), (short)(unsigned short)(us + us));
    return (int)z + 3;
}
