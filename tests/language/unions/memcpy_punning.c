/* Type punning with memcpy between integers, floats and structures. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct split { uint16_t a; uint8_t b, c; uint32_t d; };

static float fast_rsqrt(float x)
{
    uint32_t i;
    memcpy(&i, &x, sizeof i);
    i = 0x5f3759df - (i >> 1);
    float y;
    memcpy(&y, &i, sizeof y);
    return y * (1.5f - 0.5f * x * y * y);
}

int main(void)
{
    uint64_t v = 0xaabbccdd11223344u;
    struct split s;
    memcpy(&s, &v, sizeof s);
    printf("%x %x %x %x\n", s.a, s.b, s.c, s.d);
    s.c ^= 0xff;
    memcpy(&v, &s, sizeof v);
    printf("%llx\n", (unsigned long long)v);
    printf("%.4f\n", fast_rsqrt(4.0f));
    uint8_t raw[12];
    for (int i = 0; i < 12; i++)
        raw[i] = (uint8_t)(i * 0x11);
    uint32_t unaligned;
    memcpy(&unaligned, raw + 3, sizeof unaligned);
    printf("%x\n", unaligned);
    short sh;
    memcpy(&sh, raw + 9, sizeof sh);
    printf("%d\n", sh);
    return s.c % 126;
}
