/* And, or, xor and complement used for the usual bit tricks. */
#include <stdint.h>
#include <stdio.h>

static unsigned lowest(unsigned x) { return x & -x; }
static unsigned clear_lowest(unsigned x) { return x & (x - 1); }
static int is_pow2(unsigned x) { return x != 0 && (x & (x - 1)) == 0; }
static unsigned round_up_pow2(unsigned x)
{
    x--;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return x + 1;
}

int main(void)
{
    static const unsigned xs[] = { 1, 6, 64, 100, 0x80000000u, 0xdeadbee0u };
    unsigned mix = 0;
    for (unsigned i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        unsigned x = xs[i];
        printf("%x: %x %x %d %x\n", x, lowest(x), clear_lowest(x), is_pow2(x),
               x <= 0x80000000u ? round_up_pow2(x) : 0);
        mix ^= x;
    }
    int p = 12, q = 34;
    p ^= q;
    q ^= p;
    p ^= q;
    printf("%d %d %x\n", p, q, mix);
    uint8_t mask = 0;
    mask |= 1 << 6;
    mask |= 1 << 1;
    mask &= (uint8_t)~(1 << 6);
    return mask | (p ^ q);
}
