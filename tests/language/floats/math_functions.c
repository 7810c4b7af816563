/* Exactly specified functions of math.h. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double xs[] = { 2.5, -2.5, 0.49, -0.5, 3.0, 1e15 };
    for (int i = 0; i < 6; i++) {
        double x = xs[i];
        printf("%g: %g %g %g %g %g\n", x, floor(x), ceil(x), trunc(x), round(x), fabs(x));
    }
    printf("%.15f %.7f\n", sqrt(2.0), (double)sqrtf(2.0f));
    printf("%g %g %g\n", fmin(1, -2), fmax(1, -2), fmin(NAN, 4));
    printf("%g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(1, 0.125));
    double whole, part = modf(-3.75, &whole);
    printf("%g %g\n", whole, part);
    int e;
    double m = frexp(40.0, &e);
    printf("%g %d %g\n", m, e, ldexp(0.75, 6));
    printf("%ld %ld\n", lround(-2.5), lround(7.49));
    printf("%g %g\n", copysign(2, -1), rint(2.5));
    printf("%d\n", isnan(sqrt(-1.0)) != 0);
    return (int)ldexp(m, e) + (int)floorf(-2.1f);
}
