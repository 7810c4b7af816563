/* Many float and double parameters, mixed with integers and returned. */
#include <stdio.h>

static double weigh(float a, double b, int c, float d, long e, double f, float g, double h,
                    float i, double j, float k, double l)
{
    return a + 2 * b + 3 * c + 4 * d + 5.0 * (double)e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}

static float half(float x) { return x / 2; }
static float old_style(float (*f)(float), int times, float x)
{
    while (times-- > 0)
        x = f(x);
    return x;
}
static double average(const float *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return n ? s / n : 0;
}

int main(void)
{
    printf("%.3f\n", weigh(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%.3f\n", weigh(.5f, -.25, -3, .125f, -1, 0, 1e3f, 1e-3, 2, 4, 8, -16));
    printf("%g\n", old_style(half, 7, 96));
    float v[] = { 1.5f, 2.5f, -7, 20 };
    printf("%g %g\n", average(v, 4), average(v, 0));
    return (int)(average(v, 4) * 8);
}
