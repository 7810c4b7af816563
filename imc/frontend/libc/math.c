/* The part of <math.h> that needs only comparisons and exact arithmetic. */
#include <stdint.h>

/* Doubles from here on have no fraction. */
#define INTEGRAL 0x1p52

double fabs(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {x};

    u.bits &= UINT64_MAX >> 1;
    return u.value;
}

double trunc(double x)
{
    if (!(fabs(x) < INTEGRAL))
        return x;
    /* The sign is set aside so that -0.5 becomes -0.0. */
    return x < 0 ? -(double)(int64_t)-x : x > 0 ? (double)(int64_t)x : x;
}

double floor(double x)
{
    double whole = trunc(x);

    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);

    return whole < x ? whole + 1 : whole;
}

/* Halves go away from zero. */
double round(double x)
{
    double whole = trunc(x);
    double fraction = fabs(x - whole);

    if (!(fraction >= 0.5))
        return whole;
    return x < 0 ? whole - 1 : whole + 1;
}

double fmin(double x, double y)
{
    if (x != x)
        return y;
    return y < x ? y : x;
}

double fmax(double x, double y)
{
    if (x != x)
        return y;
    return y > x ? y : x;
}


/* Long division: no step rounds, since doubling and halving are exact and a difference of numbers
 * within a factor of two of each other is. */
double fmod(double x, double y)
{
    double rest = fabs(x), divisor = fabs(y), multiple = divisor;

    if (x != x || y != y)
        return x + y;
    if (rest == __builtin_inf() || divisor == 0)
        return __builtin_nan("");
    if (rest < divisor)
        return x;
    while (multiple <= rest - multiple)
        multiple *= 2;
    for (; multiple >= divisor; multiple *= 0.5)
        if (rest >= multiple)
            rest -= multiple;
    return x < 0 ? -rest : rest;
}

float fabsf(float x)
{
    return (float)fabs(x);
}

float truncf(float x)
{
    return (float)trunc(x);
}

float floorf(float x)
{
    return (float)floor(x);
}

float ceilf(float x)
{
    return (float)ceil(x);
}

float roundf(float x)
{
    return (float)round(x);
}

float fminf(float x, float y)
{
    return (float)fmin(x, y);
}

float fmaxf(float x, float y)
{
    return (float)fmax(x, y);
}

float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}
