/* Sign and zero extension when values of small types widen. */
#include <stdio.h>

static long long widen_s(signed char c) { return c; }
static long long widen_u(unsigned char c) { return c; }

int main(void)
{
    static const unsigned char raw[] = { 0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff };
    long long ssum = 0, usum = 0;
    for (int i = 0; i < 6; i++) {
        long long s = widen_s((signed char)raw[i]);
        long long u = widen_u(raw[i]);
        printf("%02x -> %lld %lld %llx\n", (unsigned)raw[i], s, u, (unsigned long long)s);
        ssum += s;
        usum += u;
    }
    short h = -300;
    unsigned short uh = (unsigned short)h;
    int i1 = h, i2 = uh;
    unsigned long ul = (unsigned long)(long)h;
    printf("%d %d %lx\n", i1, i2, ul);
    printf("%lld %lld\n", ssum, usum);
    return (int)(usum % 100);
}
