/* Linear-feedback shift registers and their periods. */
#include <stdint.h>
#include <stdio.h>

static uint8_t step8(uint8_t s) { return (uint8_t)(s >> 1 ^ (-(s & 1) & 0xb8)); }
static uint16_t step16(uint16_t s)
{
    unsigned bit = (s ^ s >> 2 ^ s >> 3 ^ s >> 5) & 1;
    return (uint16_t)(s >> 1 | bit << 15);
}

int main(void)
{
    uint8_t s = 1;
    int period = 0, ones = 0;
    do {
        s = step8(s);
        ones += s & 1;
        period++;
    } while (s != 1);
    printf("%d %d\n", period, ones);
    uint16_t t = 0xace1;
    for (int i = 0; i < 16; i++) {
        t = step16(t);
        printf("%d", t & 1);
    }
    printf("\n%04x\n", t);
    return t % 126;
}
