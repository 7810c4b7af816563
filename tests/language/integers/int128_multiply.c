/* 64 x 64 to 128 bit products, split into halves. */
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

static void show(u128 v)
{
    printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void)
{
    uint64_t a = 0xfedcba9876543210u, b = 0x0123456789abcdefu;
    u128 p = (u128)a * b;
    show(p);
    show(p + p);
    show(p - ((u128)1 << 127));
    show(~p);
    show(p << 5);
    show(p >> 70);
    __int128 s = -1;
    s *= 1000000007;
    show((u128)s);
    printf("%d\n", s < 0);
    printf("%lld\n", (long long)s);
    printf("%d\n", p > (u128)UINT64_MAX);
    return (int)(p >> 64) & 0x3f;
}
