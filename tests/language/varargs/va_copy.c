/* Walking an argument list twice with va_copy. */
#include <stdarg.h>
#include <stdio.h>

static double deviation(int n, ...)
{
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    double mean = 0;
    for (int i = 0; i < n; i++)
        mean += va_arg(ap, double);
    mean /= n;
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double d = va_arg(again, double) - mean;
        if (d < 0)
            d = -d;
        if (d > worst)
            worst = d;
    }
    va_end(again);
    va_end(ap);
    return worst;
}

static int middle(int n, ...)
{
    va_list ap, save;
    va_start(ap, n);
    for (int i = 0; i < n / 2; i++)
        (void)va_arg(ap, int);
    va_copy(save, ap);
    int a = va_arg(ap, int);
    int b = va_arg(save, int);
    va_end(save);
    va_end(ap);
    return a == b ? a : -1;
}

int main(void)
{
    printf("%.3f\n", deviation(3, 1.0, 2.0, 6.0));
    printf("%.3f\n", deviation(10, 1., 1., 1., 1., 1., 1., 1., 1., 1., 11.));
    printf("%d %d\n", middle(3, 10, 20, 30), middle(15, 1, 2, 3, 4, 5, 6, 7, 88, 9, 10, 11, 12, 13, 14, 15));
    return middle(3, 10, 20, 30) + (int)deviation(2, 0.0, 6.0);
}
