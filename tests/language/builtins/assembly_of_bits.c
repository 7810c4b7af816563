/* bsf, bsr, tzcnt, lzcnt, popcnt and bswap in inline assembly, at all widths. */
#include <stdint.h>
#include <stdio.h>

#define OF_ONE(name, type, template)                              \
    static type name(type x)                                      \
    {                                                             \
        type result;                                              \
        __asm__(template : "=r"(result) : "r"(x) : "cc");         \
        return result;                                            \
    }
OF_ONE(bsf16, uint16_t, "bsfw %1, %0")
OF_ONE(bsf32, uint32_t, "bsfl\t%1,%0\n\t")
OF_ONE(bsf64, uint64_t, "bsf %1, %0")
OF_ONE(bsr16, uint16_t, "bsr %1, %0")
OF_ONE(bsr32, uint32_t, "bsrl %1, %0")
OF_ONE(bsr64, uint64_t, "bsrq %1, %0")
OF_ONE(rep32, uint32_t, "rep; bsf %1, %0")
OF_ONE(pop16, uint16_t, "popcntw %1, %0")
OF_ONE(pop32, uint32_t, "popcnt %1, %0")
OF_ONE(pop64, uint64_t, "popcntq %1, %0")

static uint32_t swap32(uint32_t x)
{
    __asm__("bswap %0" : "+r"(x));
    return x;
}

static uint64_t swap64(uint64_t x)
{
    uint64_t result;
    __asm__("bswapq %0" : "=r"(result) : "0"(x));
    return result;
}

static uint32_t in_place(uint32_t x)
{
    __asm__ __volatile__("bsrl %0, %0" : "+r"(x));
    return x;
}

static uint32_t either(uint32_t x)
{
    uint32_t result = 7;
    __asm__("bsfl %1, %0" : "+r"(result) : "rm"(x));
    return result;
}

int main(void)
{
    static const uint64_t xs[] = {1, 2, 0x80, 0xffff, 0x8001, 0x80000001u, 0x8000000000000001u,
                                  0x0123456789abcdefu};
    int total = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t x = xs[i];
        printf("%d %d %d\n", bsf16(x), bsr16(x), pop16(x));
        printf("%u %u %u %u\n", bsf32(x), bsr32(x), rep32(x), pop32(x));
        printf("%lu %lu %lu\n", bsf64(x), bsr64(x), pop64(x));
        printf("%x %lx %u %u\n", swap32(x), swap64(x), in_place(x), either(x));
        total += bsr64(x);
    }
    printf("%d %u %lu %x\n", pop16(0), pop32(0), pop64(0), swap32(0));
    return total;
}
