/* Large structures returned through a hidden pointer, also nested calls. */
#include <stdio.h>

struct matrix { int m[2][2]; int extra[3]; };

static struct matrix make(int a, int b, int c, int d)
{
    struct matrix r = { { { a, b }, { c, d } }, { a, b, c } };
    return r;
}

static struct matrix mul(struct matrix x, struct matrix y)
{
    struct matrix r = { 0 };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                r.m[i][j] += x.m[i][k] * y.m[k][j];
    r.extra[0] = x.extra[0] + y.extra[0];
    return r;
}

static struct matrix power(struct matrix b, int n)
{
    if (n == 0)
        return make(1, 0, 0, 1);
    struct matrix h = power(b, n / 2);
    h = mul(h, h);
    return n % 2 ? mul(h, b) : h;
}

int main(void)
{
    struct matrix fib = make(1, 1, 1, 0);
    struct matrix p = power(fib, 20);
    printf("%d %d %d %d\n", p.m[0][0], p.m[0][1], p.m[1][0], p.m[1][1]);
    printf("%d\n", p.extra[0]);
    printf("%d\n", mul(make(1, 2, 3, 4), make(0, 1, 1, 0)).m[1][0]);
    return power(fib, 10).m[0][1];
}
