/* Counting down with unsigned counters and odd strides. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int steps = 0;
    for (unsigned i = 5; i-- > 0;)
        printf("%u ", i);
    putchar('\n');
    for (uint8_t i = 0; steps < 10; i += 60, steps++)
        printf("%u ", i);
    putchar('\n');
    uint16_t k = 1;
    int doublings = 0;
    do {
        k = (uint16_t)(k << 1);
        doublings++;
    } while (k);
    printf("%d\n", doublings);
    int8_t s = 120;
    int n = 0;
    while (s > 0) {
        s = (int8_t)(s / 2 - 1);
        n++;
    }
    printf("%d %d\n", s, n);
    long long big = 1LL << 62;
    int halvings = 0;
    while (big /= 8)
        halvings++;
    printf("%d\n", halvings);
    return doublings + halvings + n;
}
