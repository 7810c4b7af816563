/* Greatest common divisor, least common multiple and Collatz lengths. */
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static int collatz(unsigned long n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void)
{
    printf("%u %u %u\n", gcd(1071, 462), gcd(17, 5), gcd(0, 9));
    unsigned l = 1;
    for (unsigned i = 1; i <= 20; i++)
        l = l / gcd(l, i) * i;
    printf("%u\n", l);
    int best = 0, arg = 0;
    for (int i = 1; i < 30; i++) {
        int c = collatz((unsigned long)i);
        if (c > best) {
            best = c;
            arg = i;
        }
    }
    printf("%d after %d steps\n", arg, best);
    return best;
}
