/* Reading and writing little- and big-endian numbers byte by byte. */
#include <stdint.h>
#include <stdio.h>

static void put_be32(uint8_t *p, uint32_t v)
{
    for (int i = 3; i >= 0; i--) {
        p[i] = (uint8_t)v;
        v >>= 8;
    }
}

static uint64_t get_le(const uint8_t *p, int n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | p[n];
    return v;
}

static uint64_t get_be(const uint8_t *p, int n)
{
    uint64_t v = 0;
    for (int i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

int main(void)
{
    uint8_t buf[8] = { 0 };
    put_be32(buf, 0xcafebabeu);
    put_be32(buf + 4, 0x8badf00du);
    for (int n = 1; n <= 8; n++)
        printf("%llx %llx\n", (unsigned long long)get_le(buf, n), (unsigned long long)get_be(buf, n));
    int16_t sle = (int16_t)get_le(buf, 2);
    printf("%d\n", sle);
    return buf[7] + buf[6] % 10;
}
