/* Operands narrower than int are promoted before arithmetic. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint8_t a = 200, b = 100;
    int sum = a + b;
    uint8_t wrapped = (uint8_t)(a + b);
    printf("%d %d\n", sum, wrapped);
    printf("%d\n", a - b * 3);
    printf("%d\n", ~a);
    printf("%d\n", (uint8_t)~a);
    printf("%d\n", -b);
    printf("%d\n", (uint8_t)~a >> 1);
    printf("%d\n", ~a >> 1);
    uint16_t x = 60000;
    printf("%u\n", (unsigned)x * x);
    int8_t s = -1;
    printf("%d %d\n", s == (int8_t)0xff, (uint8_t)s == 0xff);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(+s), sizeof(a + 1L));
    printf("%zu\n", sizeof(a << 1LL));
    return (a + b) / 3;
}
