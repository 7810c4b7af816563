/* float stays float: rounding when values narrow and widen. */
#include <stdio.h>

static float narrow(double d) { return (float)d; }
static double widen(float f) { return f; }

int main(void)
{
    printf("%d %d\n", narrow(0.1) == 0.1, narrow(0.5) == 0.5);
    printf("%.17g\n", widen(0.1f));
    printf("%.9g\n", narrow(1.00000005960464477));
    printf("%.9g\n", narrow(1e-46));
    printf("%g\n", narrow(3.40282346e38));
    float sum = 0;
    double dsum = 0;
    for (int i = 0; i < 100; i++) {
        sum += 0.01f;
        dsum += 0.01;
    }
    printf("%.9g %.17g\n", sum, dsum);
    float a = 1e8f, b = 1.0f;
    printf("%.1f %.1f\n", (a + b) - a, (double)a + b - a);
    float x = 7.0f / 3.0f;
    printf("%.9g %.9g\n", x * 3.0f, x - 2.0f);
    float smallest = 1.40129846e-45f;
    printf("%g %g\n", smallest, smallest / 2);
    return (int)(sum * 50) + (x > 2.3333f);
}
