/* Rational arithmetic with structures by value. */
#include <stdio.h>

typedef struct { long n, d; } rat;

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }

static rat make(long n, long d)
{
    long g = gcd(n, d);
    if (d < 0)
        g = -g;
    return (rat){ n / g, d / g };
}

static rat add(rat a, rat b) { return make(a.n * b.d + b.n * a.d, a.d * b.d); }
static rat mul(rat a, rat b) { return make(a.n * b.n, a.d * b.d); }
static rat inverse(rat a) { return make(a.d, a.n); }
static rat negate(rat a) { a.n = -a.n; return a; }
static int compare(rat a, rat b) { long l = a.n * b.d, r = b.n * a.d; return (l > r) - (l < r); }
static void show(rat a) { printf(a.d == 1 ? "%ld\n" : "%ld/%ld\n", a.n, a.d); }

int main(void)
{
    rat h = { 0, 1 };
    for (long i = 1; i <= 8; i++)
        h = add(h, make(1, i));
    show(h);
    show(mul(make(-6, 4), make(10, -15)));
    show(inverse(make(-3, 7)));
    show(add(make(1, 3), negate(make(5, 6))));
    rat x = { 1, 1 };
    for (int i = 0; i < 4; i++)
        x = add(mul(x, make(1, 2)), inverse(x));
    show(x);
    printf("%d %d\n", compare(make(1, 3), make(2, 6)), compare(make(-1, 2), make(1, 3)));
    return (int)(h.d % 126);
}
