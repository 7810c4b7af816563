/* Structures after the argument registers have run out. */
#include <stdio.h>

struct pair { long a, b; };
struct dpair { double a, b; };

static long crowd(int a, int b, int c, int d, int e, struct pair p, int f, struct pair q, char g)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 100 * p.a + 200 * p.b + 6 * f + 1000 * q.a + 2000 * q.b + g;
}

static double dcrowd(double a, double b, double c, double d, double e, double f, double g,
                     struct dpair p, double h, struct dpair q)
{
    return a - b + c - d + e - f + g + p.a * 10 + p.b * 20 + h * 100 + q.a * 1000 + q.b * 2000;
}

int main(void)
{
    struct pair p = { 1, 2 }, q = { 3, 4 };
    long r = crowd(1, 2, 3, 4, 5, p, 6, q, 'A');
    printf("%ld\n", r);
    struct dpair dp = { 0.5, 0.25 }, dq = { 1.5, 2.5 };
    double d = dcrowd(1, 2, 3, 4, 5, 6, 7, dp, 8, dq);
    printf("%.3f\n", d);
    long (*fp)(int, int, int, int, int, struct pair, int, struct pair, char) = crowd;
    printf("%ld\n", fp(-1, -2, -3, -4, -5, q, -6, p, 'a'));
    return (int)(r % 120);
}
