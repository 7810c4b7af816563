/* Conversions to narrower unsigned and signed types. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint64_t wide = 0x1122334455667788u;
    uint32_t a = (uint32_t)wide;
    uint16_t b = (uint16_t)wide;
    uint8_t c = (uint8_t)wide;
    int8_t d = (int8_t)c;
    int16_t e = (int16_t)(wide >> 8);
    int32_t f = (int32_t)(wide ^ 0xffffffffu);

    printf("%x %x %x\n", a, b, c);
    printf("%d %d %d\n", d, e, f);

    int32_t n = -2;
    printf("%u %u %u\n", (uint8_t)n, (uint16_t)n, (uint32_t)n);
    printf("%llu\n", (unsigned long long)(uint64_t)n);
    int64_t back = (int64_t)(uint64_t)n;
    printf("%lld\n", (long long)back);
    return c & 0x7f;
}
