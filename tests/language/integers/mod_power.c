/* Modular exponentiation and inverse. */
#include <stdint.h>
#include <stdio.h>

static uint32_t power(uint32_t base, uint32_t e, uint32_t m)
{
    uint64_t result = 1, b = base % m;
    while (e) {
        if (e & 1)
            result = result * b % m;
        b = b * b % m;
        e >>= 1;
    }
    return (uint32_t)result;
}

static int64_t egcd(int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    if (b == 0) {
        *x = 1;
        *y = 0;
        return a;
    }
    int64_t x1, y1;
    int64_t g = egcd(b, a % b, &x1, &y1);
    *x = y1;
    *y = x1 - a / b * y1;
    return g;
}

int main(void)
{
    printf("%u\n", power(2, 100, 1000000007u));
    printf("%u\n", power(7, 4294967295u, 4294967291u));
    int64_t x, y;
    int64_t g = egcd(3120, 17, &x, &y);
    printf("%lld %lld %lld\n", (long long)g, (long long)x, (long long)y);
    g = egcd(240, -46, &x, &y);
    printf("%lld %d\n", (long long)g, 240 * x - 46 * y == g);
    return (int)power(3, 77, 113);
}
