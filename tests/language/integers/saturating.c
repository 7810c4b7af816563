/* Saturating and carry-propagating arithmetic without overflow. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int sat_add(int a, int b)
{
    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
}

static uint8_t sat_sub8(uint8_t a, uint8_t b)
{
    uint8_t d = (uint8_t)(a - b);
    return d > a ? 0 : d;
}

static uint32_t add_carry(uint32_t a, uint32_t b, unsigned *carry)
{
    uint32_t s = a + b;
    unsigned c = s < a;
    s += *carry;
    c |= s < *carry;
    *carry = c;
    return s;
}

int main(void)
{
    printf("%d %d %d\n", sat_add(INT_MAX, 1), sat_add(INT_MIN, -1), sat_add(40, 2));
    printf("%d %d\n", sat_sub8(5, 9), sat_sub8(200, 100));
    uint32_t a[3] = { 0xffffffffu, 0xffffffffu, 1 }, b[3] = { 1, 0, 0xfffffffeu };
    unsigned carry = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t s = add_carry(a[i], b[i], &carry);
        printf("%08x carry %u\n", s, carry);
    }
    return sat_sub8(90, 13) + (int)carry;
}
