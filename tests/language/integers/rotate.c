/* Rotations built from shifts, at four widths. */
#include <stdint.h>
#include <stdio.h>

static uint8_t rol8(uint8_t x, unsigned k) { k &= 7; return (uint8_t)(x << k | x >> ((8 - k) & 7)); }
static uint16_t rol16(uint16_t x, unsigned k) { k &= 15; return (uint16_t)(x << k | x >> ((16 - k) & 15)); }
static uint32_t rol32(uint32_t x, unsigned k) { k &= 31; return x << k | x >> ((32 - k) & 31); }
static uint64_t ror64(uint64_t x, unsigned k) { k &= 63; return x >> k | x << ((64 - k) & 63); }

int main(void)
{
    static const unsigned ks[] = { 0, 1, 5, 8, 31, 32, 63 };
    uint32_t h = 0;
    for (int i = 0; i < 7; i++) {
        unsigned k = ks[i];
        uint8_t a = rol8(0x96, k);
        uint16_t b = rol16(0x8421, k);
        uint32_t c = rol32(0x80000001u, k);
        uint64_t d = ror64(0x0123456789abcdefu, k);
        printf("%u: %02x %04x %08x %016llx\n", k, a, b, c, (unsigned long long)d);
        h = rol32(h, 5) ^ (a + b + c + (uint32_t)d);
    }
    printf("%08x\n", h);
    return (int)(h % 97);
}
