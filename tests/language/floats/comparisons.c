/* Comparisons of floats, including NaN and infinities. */
#include <math.h>
#include <stdio.h>

static void compare(double a, double b)
{
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
}

static int fcompare(float a, float b) { return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3; }

int main(void)
{
    volatile double zero = 0.0;
    double inf = 1.0 / INFINITY == 0 ? INFINITY : 0, nan = NAN;
    compare(1, 2);
    compare(2, 2);
    compare(-0.0, zero);
    compare(inf, 1e308);
    compare(-inf, inf);
    compare(nan, 1);
    compare(nan, nan);
    printf("%d %d\n", !(nan < 1), !(nan >= 1));
    printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, isfinite(1.0) != 0);
    printf("%d %d\n", isless(1.0, 2.0), isunordered(nan, 1.0) != 0);
    printf("%d %d\n", fcompare(1.5f, 2.5f), fcompare(NAN, 0));
    printf("%d %d\n", nan ? 1 : 0, zero ? 1 : 0);
    return fcompare(3, 3) * 10 + fcompare(NAN, NAN);
}
