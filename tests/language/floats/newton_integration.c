/* Newton's method, bisection and the trapezium rule. */
#include <stdio.h>

static double root(double a)
{
    double x = a > 1 ? a : 1;
    for (int i = 0; i < 12; i++)
        x = 0.5 * (x + a / x);
    return x;
}

static double cube(double x) { return x * x * x - 5; }

static double bisect(double (*f)(double), double lo, double hi)
{
    while (hi - lo > 1e-6) {
        double mid = (lo + hi) / 2;
        if (f(mid) > 0)
            hi = mid;
        else
            lo = mid;
    }
    return lo;
}

static double integrate(double (*f)(double), double a, double b, int n)
{
    double h = (b - a) / n, s = (f(a) + f(b)) / 2;
    for (int i = 1; i < n; i++)
        s += f(a + i * h);
    return s * h;
}

int main(void)
{
    printf("%.10f %.10f\n", root(2), root(144));
    printf("%.4f\n", bisect(cube, 0, 4));
    printf("%.6f\n", integrate(cube, 0, 2, 64));
    return (int)(root(1000) * 2) + (int)root(144);
}
