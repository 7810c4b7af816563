/* Generators with static state: Fibonacci words, xorshift and a cycle. */
#include <stdint.h>
#include <stdio.h>

static uint32_t xorshift(void)
{
    static uint32_t s = 2463534242u;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

static unsigned long fib_next(void)
{
    static unsigned long a = 0, b = 1;
    unsigned long r = a;
    a = b;
    b += r;
    return r;
}

static const char *cycle(void)
{
    static const char *const words[] = { "do", "re", "mi" };
    static unsigned char i;
    return words[i++ % 3];
}

int main(void)
{
    uint32_t mix = 0;
    for (int i = 0; i < 5; i++) {
        uint32_t x = xorshift();
        printf("%u %lu %s\n", x, fib_next(), cycle());
        mix ^= x;
    }
    for (int i = 0; i < 40; i++)
        fib_next();
    printf("%lu\n", fib_next());
    printf("%08x\n", mix);
    return (int)(mix % 99);
}
