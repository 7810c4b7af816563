/* Hexadecimal text from numbers and back, with character tests. */
#include <stdio.h>

static int digit_value(int c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
    c |= 0x20;
    if ('a' <= c && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static void to_hex(unsigned v, char out[9])
{
    for (int i = 7; i >= 0; i--, v >>= 4)
        out[i] = "0123456789abcdef"[v & 15];
    out[8] = '\0';
}

int main(void)
{
    char buf[9];
    to_hex(0xdeadbeefu, buf);
    puts(buf);
    unsigned v = 0;
    const char *in = "C0ffEE-no";
    while (digit_value(*in) >= 0)
        v = v * 16 + (unsigned)digit_value(*in++);
    printf("%u rest %s\n", v, in);
    to_hex(~v, buf);
    puts(buf);
    return digit_value('F') * 8 + (digit_value('g') == -1);
}
