/* The sieve of Eratosthenes in a bit set. */
#include <stdio.h>

#define LIMIT 120

static unsigned char composite[LIMIT / 8 + 1];

static void mark(int n) { composite[n >> 3] |= (unsigned char)(1 << (n & 7)); }
static int marked(int n) { return composite[n >> 3] >> (n & 7) & 1; }

int main(void)
{
    for (int p = 2; p * p <= LIMIT; p++)
        if (!marked(p))
            for (int k = p * p; k <= LIMIT; k += p)
                mark(k);
    int count = 0, last = 0, twins = 0;
    for (int n = 2; n <= LIMIT; n++)
        if (!marked(n)) {
            printf("%d ", n);
            if (n - last == 2)
                twins++;
            last = n;
            count++;
        }
    printf("\n%d primes, %d twins\n", count, twins);
    return last;
}
