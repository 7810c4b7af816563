/* The bits of a float seen through a union. */
#include <stdint.h>
#include <stdio.h>

union bits { float f; uint32_t u; };

static void show(float f)
{
    union bits b = { .f = f };
    printf("%08x s=%u e=%d m=%06x\n", b.u, b.u >> 31, (int)(b.u >> 23 & 255) - 127, b.u & 0x7fffff);
}

int main(void)
{
    show(1.0f);
    show(-2.5f);
    show(0.1f);
    show(0.0f);
    show(16777216.0f);
    union bits b = { .u = 0x40490fdb };
    printf("%.6f\n", b.f);
    b.u += 1;
    printf("%.7f\n", b.f);
    b.u ^= 0x80000000u;
    printf("%d\n", b.f < 0);
    b.u = 0x3f000000;
    return (int)(b.f * 100);
}
