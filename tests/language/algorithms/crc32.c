/* CRC-32, bit by bit and with a nibble table, and Adler-32. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[16];

static uint32_t bitwise(const char *s)
{
    uint32_t c = ~0u;
    for (; *s; s++) {
        c ^= (uint8_t)*s;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

static uint32_t tabled(const char *s)
{
    uint32_t c = ~0u;
    for (; *s; s++) {
        c ^= (uint8_t)*s;
        c = c >> 4 ^ table[c & 15];
        c = c >> 4 ^ table[c & 15];
    }
    return ~c;
}

static uint32_t adler(const char *s)
{
    uint32_t a = 1, b = 0;
    for (; *s; s++) {
        a = (a + (uint8_t)*s) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (int k = 0; k < 4; k++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
    }
    const char *s = "123456789";
    printf("%08x %08x\n", bitwise(s), tabled(s));
    printf("%08x\n", adler("Wikipedia"));
    return (int)(tabled("") + bitwise("The quick") % 125);
}
