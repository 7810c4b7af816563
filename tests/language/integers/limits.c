/* Extreme values of each integer type. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    signed char c = SCHAR_MIN;
    short s = SHRT_MIN;
    int i = INT_MIN;
    long l = LONG_MIN;
    printf("%d %d %d %ld\n", c, s, i, l);
    printf("%d %d %d %ld\n", SCHAR_MAX, SHRT_MAX, INT_MAX, LONG_MAX);
    printf("%d %d %u %lu\n", UCHAR_MAX, USHRT_MAX, UINT_MAX, ULONG_MAX);
    printf("%lld %llu\n", LLONG_MIN, ULLONG_MAX);
    i = -(i + 1);
    l = -(l + 1);
    printf("%d %d\n", i == INT_MAX, l == LONG_MAX);
    printf("%d %d\n", (int)(INT_MIN / 2), INT_MIN % 10);
    printf("%u\n", -(unsigned)INT_MIN);
    printf("%d %d\n", INT_MIN < INT_MAX, (unsigned)INT_MIN < (unsigned)INT_MAX);
    printf("%d\n", CHAR_BIT);
    uintmax_t um = UINTMAX_MAX;
    printf("%ju\n", um);
    return CHAR_BIT * 3;
}
