/* Double and float arithmetic with exactly rounded results. */
#include <stdio.h>

static double poly(double x) { return ((2 * x - 3) * x + 0.5) * x - 7; }

int main(void)
{
    double a = 0.1, b = 0.2;
    printf("%.17g %d\n", a + b, a + b == 0.3);
    printf("%.17g\n", 1.0 / 3.0);
    printf("%.17g %.17g\n", 1e16 + 1.0, 1e16 + 2.0);
    float f = 0.1f, g = 0.2f;
    float h = f + g;
    printf("%.9g %.9g\n", h, f * g);
    printf("%.9g\n", (float)(1.0f / 3.0f));
    double s = 0;
    for (int i = 1; i <= 20; i++)
        s += 1.0 / i;
    printf("%.15f\n", s);
    float t = 16777216.0f;
    t += 1.0f;
    printf("%.1f\n", t);
    printf("%.6f %.6f\n", poly(1.5), poly(-2));
    double d = 10;
    d -= 0.5;
    d *= -4;
    d /= 8;
    printf("%g %g\n", d, -d);
    return (int)(-d * 10);
}
