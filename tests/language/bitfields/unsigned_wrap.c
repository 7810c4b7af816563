/* Unsigned bit-fields wrap at their own width. */
#include <stdio.h>

struct counters {
    unsigned a : 3;
    unsigned b : 5;
    unsigned c : 9;
    unsigned d : 15;
};

int main(void)
{
    struct counters k = { 0, 0, 0, 0 };
    for (int i = 0; i < 35; i++) {
        k.a++;
        k.b += 1;
        k.c += 17;
        k.d--;
    }
    printf("%u %u %u %u\n", k.a, k.b, k.c, k.d);
    k.a = 7;
    k.a++;
    k.b = (unsigned)(k.b * 9) & 31;
    printf("%u %u\n", k.a, k.b);
    printf("%zu\n", sizeof k);
    unsigned ones = ~0u;
    k.c = ones;
    printf("%u %u\n", k.c, k.c >> 4);
    return k.b + k.a * 2;
}
