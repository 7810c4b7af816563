/* Branch-free abs, sign, min, max and overflow-free average. */
#include <stdint.h>
#include <stdio.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static unsigned magnitude(int x) { return x < 0 ? 0u - (unsigned)x : (unsigned)x; }
static int imin(int a, int b) { return b ^ ((a ^ b) & -(a < b)); }
static int imax(int a, int b) { return a ^ ((a ^ b) & -(a < b)); }
static uint32_t avg(uint32_t a, uint32_t b) { return (a & b) + ((a ^ b) >> 1); }

int main(void)
{
    static const int v[] = { 5, -5, 0, 2147483647, -2147483647 - 1 };
    for (int i = 0; i < 5; i++)
        printf("%d: sign %d magnitude %u\n", v[i], sign(v[i]), magnitude(v[i]));
    for (int i = 0; i + 1 < 5; i++)
        printf("%d %d\n", imin(v[i], v[i + 1]), imax(v[i], v[i + 1]));
    printf("%u\n", avg(0xffffffffu, 0xfffffffdu));
    printf("%u\n", avg(7, 8));
    return imax(sign(-9), 3) * 10 + imin(7, 11);
}
