/* %f, %e, %g in their many widths and precisions. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v = 1234.56789;
    printf("[%f][%.2f][%10.1f][%-10.1f][%010.3f][%+.0f]\n", v, v, v, v, v, v);
    printf("[%e][%.2e][%14.3E]\n", v, v, -v);
    printf("[%g][%.3g][%g][%g][%g]\n", v, v, 1e-5, 1e6, 1e5);
    printf("[%g][%g][%G][%#g]\n", 100000.0, 1234567.0, 1e-10, 1.5);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, -0.5);
    printf("%.1f %.1f %.1f\n", 0.25, 0.35, 0.05);
    printf("%f %f %F\n", 0.0, -0.0, 1e15);
    printf("[%f][%5.1f][%e][%G]\n", INFINITY, -INFINITY, INFINITY, -INFINITY);
    printf("%.10f %.17g\n", 0.1, 0.1);
    printf("%f %.3f\n", 1.5f, (double)0.1f);
    printf("%g %g\n", 5e-324, 1.7976931348623157e308);
    int n = printf("% .3f\n", 2.0 / 3);
    return n * 3;
}
