/* Double-precision bit patterns through unions and memcpy. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union bits { double d; uint64_t u; struct { uint32_t lo, hi; } w; unsigned char b[8]; };

static uint64_t bits_of(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

int main(void)
{
    static const double ds[] = { 1.0, -0.5, 3.141592653589793, 1e100, 5e-324 };
    for (int i = 0; i < 5; i++) {
        union bits b;
        b.d = ds[i];
        printf("%08x%08x %d\n", b.w.hi, b.w.lo, b.u == bits_of(ds[i]));
    }
    union bits b = { .u = 0x4059000000000000 };
    printf("%.1f\n", b.d);
    b.b[6] = 0x5e;
    printf("%.4f\n", b.d);
    b.w.hi |= 0x80000000u;
    printf("%.4f\n", b.d);
    return (int)-b.d;
}
