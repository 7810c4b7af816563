/* What <math.h> says of zeros, infinities, no numbers, and of what is too large or too small. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 0.49999999999999994,
    -0.49999999999999994, 4503599627370495.5, 4503599627370497.0, 9007199254740993.0, 0.1, 10.0,
    1e300, -1e300, 1e-300, -1e-300, 5e-324, -5e-324, 2.2250738585072014e-308, 710.0, -746.0,
    1e18, 1e19, -1e19, INFINITY, -INFINITY, NAN,
};
enum { COUNT = sizeof values / sizeof *values };

static void show(const char *name, double x)
{
    int error = errno;

    errno = 0;
    if (isnan(x))
        printf(" %s=nan", name);
    else
        printf(" %s=%.12g", name, x);
    if (error)
        printf("!%d", error);
}

static void exactly(const char *name, double x)
{
    int error = errno;

    errno = 0;
    if (isnan(x))
        printf(" %s=nan", name);
    else
        printf(" %s=%a", name, x);
    if (error)
        printf("!%d", error);
}

static void of_one(double x)
{
    double whole, fraction;
    int exponent;

    printf("%a:", x);
    exactly("sqrt", sqrt(x)), show("sin", fabs(x) < 1e9 || isinf(x) ? sin(x) : 0);
    show("cos", fabs(x) < 1e9 || isinf(x) ? cos(x) : 0);
    show("tan", fabs(x) < 1e9 || isinf(x) ? tan(x) : 0);
    show("asin", asin(x)), show("acos", acos(x)), show("atan", atan(x));
    show("sinh", sinh(x)), show("cosh", cosh(x)), show("tanh", tanh(x));
    show("exp", exp(x)), show("exp2", exp2(x));
    show("log", log(x)), show("log2", log2(x)), show("log10", log10(x));
    show("cbrt", cbrt(x)), exactly("fabs", fabs(x)), exactly("floor", floor(x));
    exactly("ceil", ceil(x)), exactly("trunc", trunc(x)), exactly("round", round(x));
    exactly("rint", rint(x)), exactly("nearbyint", nearbyint(x));
    fraction = modf(x, &whole), exactly("modf", fraction), exactly("whole", whole);
    if (isfinite(x)) {
        fraction = frexp(x, &exponent), exactly("frexp", fraction);
        printf(" %d", exponent);
    }
    if (fabs(x) < 9e18)
        printf(" %ld %ld %lld %lld", lround(x), lrint(x), llround(x), llrint(x));
    printf("\n");
}

static void of_floats(float x)
{
    exactly("sqrtf", sqrtf(x)), exactly("roundf", roundf(x)), exactly("floorf", floorf(x));
    exactly("rintf", rintf(x)), exactly("ldexpf", ldexpf(x, 100)), exactly("ldexpf", ldexpf(x, -100));
    exactly("fmaf", fmaf(x, 0x1.000002p0f, 0x1p-60f)), exactly("fmaf", fmaf(x, x, -x));
    printf("\n");
}

static void of_two(double x, double y)
{
    printf("%a %a:", x, y);
    show("pow", pow(x, y)), show("atan2", atan2(x, y)), show("hypot", hypot(x, y));
    exactly("fmod", fmod(x, y)), exactly("copysign", copysign(x, y));
    if (x != 0 || y != 0)
        exactly("fmin", fmin(x, y)), exactly("fmax", fmax(x, y));
    printf("\n");
}

static void of_three(double x, double y, double z)
{
    double result = fma(x, y, z);

    errno = 0; /* not every library tells that */
    exactly("fma", result);
}

int main(void)
{
    static const int exponents[] = {0, 1, -1, 52, -52, 1023, -1074, 2000, -2000, 5000, -5000};

    for (int i = 0; i < COUNT; i++) {
        of_one(values[i]);
        for (unsigned k = 0; k < sizeof exponents / sizeof *exponents; k++)
            exactly("ldexp", ldexp(values[i], exponents[k]));
        of_floats(values[i]), of_floats(0x1.fffffep0f * (float)values[i]);
        for (int j = 0; j < COUNT; j++) {
            of_two(values[i], values[j]);
            for (int k = 0; k < COUNT; k++)
                of_three(values[i], values[j], values[k]);
            printf("\n");
        }
    }
    of_three(0.1, 10, -1), of_three(1e200, 1e200, -INFINITY), of_three(-1e200, 1e200, 1);
    return 0;
}
