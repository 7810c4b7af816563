/* Plain, signed and unsigned char hold the same byte differently. */
#include <stdio.h>

int main(void)
{
    char plain = (char)0xe9;
    signed char s = (signed char)0xe9;
    unsigned char u = 0xe9;
    printf("%d %d %d\n", plain, s, u);
    printf("%d %d\n", plain == s, plain == u);
    printf("%x %x\n", (unsigned)plain, (unsigned)u);
    unsigned table[256] = { 0 };
    const char *text = "\xe9t\xe9 \xfc";
    for (const char *p = text; *p; p++)
        table[(unsigned char)*p]++;
    printf("%u %u %u\n", table[0xe9], table['t'], table[0xfc]);
    u += 0x20;
    s = (signed char)(s - 100);
    printf("%d %d\n", u, s);
    int sum = 0;
    for (const char *p = text; *p; p++)
        sum += *p;
    printf("%d\n", sum);
    return u;
}
