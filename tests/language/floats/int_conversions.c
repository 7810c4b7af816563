/* Conversions between integers and floating types of every width. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    double d = -3.99;
    printf("%d %ld %d\n", (int)d, (long)d, (short)d);
    printf("%u %lu\n", (unsigned)3.99, (unsigned long)1.8e19);
    printf("%d %d\n", (signed char)-128.9, (unsigned char)255.5);
    printf("%.1f %.1f\n", (double)INT_MIN, (double)UINT_MAX);
    printf("%.1f %.1f\n", (double)LONG_MAX, (double)ULONG_MAX);
    printf("%.1f %.1f\n", (double)(float)16777217, (double)(float)INT_MAX);
    int8_t c = -7;
    uint16_t h = 65000;
    float f = c, g = h;
    printf("%.1f %.1f\n", f, g);
    uint64_t big = 0x8000000000000401u;
    printf("%.1f %.1f\n", (double)big, (double)(float)big);
    double back = (double)(int64_t)-9007199254740993LL;
    printf("%.1f\n", back);
    printf("%d\n", (int)(0.1 * 30));
    printf("%d\n", 5 / 2 * 2.0 == 4.0);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    unsigned char uc = 10;
    uc += 2.75;
    return uc + i;
}
