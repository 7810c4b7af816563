/* Plain, tail and memoised recursion. */
#include <stdio.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static unsigned long fact(unsigned n) { return n ? n * fact(n - 1) : 1; }
static long tail(long n, long acc) { return n == 0 ? acc : tail(n - 1, acc + n); }

static long memo[60];
static long fast(int n)
{
    if (n < 2)
        return n;
    if (!memo[n])
        memo[n] = fast(n - 1) + fast(n - 2);
    return memo[n];
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        printf("%d ", fib(i));
    putchar('\n');
    printf("%lu\n", fact(20));
    printf("%ld\n", tail(100, 0));
    printf("%ld\n", fast(50));
    return fib(10) + (int)(fast(40) % 50);
}
