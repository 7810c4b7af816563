/* A factorial in base 10000 limbs, divided down again. */
#include <stdint.h>
#include <stdio.h>

#define LIMBS 8

struct big { uint16_t limb[LIMBS]; int n; };

static void multiply(struct big *b, unsigned k)
{
    uint32_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += b->limb[i] * k;
        b->limb[i] = (uint16_t)(carry % 10000);
        carry /= 10000;
    }
    if (carry)
        b->limb[b->n++] = (uint16_t)carry;
}

static unsigned divide(struct big *b, unsigned k)
{
    unsigned rest = 0;
    for (int i = b->n - 1; i >= 0; i--) {
        rest = rest * 10000 + b->limb[i];
        b->limb[i] = (uint16_t)(rest / k);
        rest %= k;
    }
    while (b->n > 1 && b->limb[b->n - 1] == 0)
        b->n--;
    return rest;
}

static void show(const struct big *b)
{
    printf("%d", b->limb[b->n - 1]);
    for (int i = b->n - 2; i >= 0; i--)
        printf("%04d", b->limb[i]);
    putchar('\n');
}

int main(void)
{
    struct big f = { { 1 }, 1 };
    for (unsigned i = 2; i <= 25; i++)
        multiply(&f, i);
    show(&f);
    unsigned r = divide(&f, 1009);
    show(&f);
    printf("%u\n", r);
    return (int)(r % 126);
}
