/* Division of 128-bit numbers, printing them in decimal. */
#include <stdio.h>

static void print_u128(unsigned __int128 v)
{
    char digits[40];
    int n = 0;
    do {
        digits[n++] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v != 0);
    while (n > 0)
        putchar(digits[--n]);
    putchar('\n');
}

int main(void)
{
    unsigned __int128 f = 1;
    for (unsigned i = 2; i <= 25; i++)
        f *= i;
    print_u128(f);
    print_u128(f / 1000000007u);
    unsigned r = (unsigned)(f % 1000000007u);
    printf("%u\n", r);
    __int128 n = -(__int128)f;
    printf("%lld\n", (long long)(n / 1000000000000000000LL));
    printf("%lld\n", (long long)(n % 1000003));
    return (int)(r % 101);
}
