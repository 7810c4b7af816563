/* Unsigned arithmetic wraps modulo two to the width. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint8_t a = 250;
    a += 10;
    uint16_t b = 0;
    b--;
    unsigned c = UINT_MAX;
    c += 2;
    unsigned long d = 0;
    d -= 5;
    unsigned e = 65536u * 65536u;
    unsigned f = 123456789u * 987654321u;
    unsigned long g = 0x9e3779b97f4a7c15ul * 3;
    printf("%u %u %u %lu\n", a, b, c, d);
    printf("%u %u %lx\n", e, f, g);
    printf("%u\n", -1u);
    printf("%u\n", 3u - 4u);
    printf("%d\n", 3u - 4u > 0);
    unsigned h = 1;
    for (int i = 0; i < 40; i++)
        h = h * 1664525u + 1013904223u;
    printf("%u\n", h);
    return a + (int)c;
}
