/* A static table filled on first use, and static pointers to it. */
#include <stdio.h>

static int fills;

static const unsigned char *parity_table(void)
{
    static unsigned char table[32];
    static const unsigned char *ready;
    if (!ready) {
        for (unsigned i = 0; i < 32; i++)
            table[i] = (unsigned char)((i & 1) ^ table[i / 2]);
        fills++;
        ready = table;
    }
    return ready;
}

static char *join(const char *a, const char *b)
{
    static char buffer[2][24];
    static int which;
    char *out = buffer[which ^= 1], *p = out;
    while (*a) *p++ = *a++;
    while (*b) *p++ = *b++;
    *p = '\0';
    return out;
}

int main(void)
{
    int ones = 0;
    for (int i = 0; i < 32; i++)
        ones += parity_table()[i];
    printf("%d %d %d\n", ones, fills, parity_table()[7]);
    char *x = join("left", "right");
    char *y = join("up", "down");
    printf("%s %s\n", x, y);
    char *z = join(y, "!");
    printf("%s %d\n", z, z == x);
    return ones * 2 + fills;
}
