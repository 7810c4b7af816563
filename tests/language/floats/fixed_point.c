/* Fixed-point arithmetic checked against doubles. */
#include <stdint.h>
#include <stdio.h>

typedef int32_t fix;
#define ONE 65536

static fix from_double(double d) { return (fix)(d * ONE + (d < 0 ? -0.5 : 0.5)); }
static double to_double(fix f) { return (double)f / ONE; }
static fix mul(fix a, fix b) { return (fix)((int64_t)a * b / ONE); }
static fix divide(fix a, fix b) { return (fix)((int64_t)a * ONE / b); }

static fix sine(fix x)
{
    fix x2 = mul(x, x), term = x, sum = x;
    for (int k = 2; k < 10; k += 2) {
        term = -divide(mul(term, x2), k * (k + 1) * ONE);
        sum += term;
    }
    return sum;
}

int main(void)
{
    fix a = from_double(3.25), b = from_double(-1.5);
    printf("%.4f %.4f\n", to_double(mul(a, b)), to_double(divide(a, b)));
    printf("%d %d\n", a, b);
    static const double xs[] = { 0, 0.5, 1, -1.25 };
    for (int i = 0; i < 4; i++)
        printf("%.3f\n", to_double(sine(from_double(xs[i]))));
    return (int)(to_double(sine(from_double(1))) * 100);
}
