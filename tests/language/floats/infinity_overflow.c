/* Overflow to infinity, division by zero in IEEE arithmetic of values. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    volatile double big = DBL_MAX, small = DBL_MIN, ten = 10;
    double inf = big * ten;
    printf("%g %g %d\n", inf, -inf, inf > big);
    printf("%g %g\n", 1 / inf, inf + inf);
    double n = inf - inf;
    printf("%d %d\n", n != n, isnan(inf * 0) != 0);
    printf("%d\n", small / 4 > 0);
    printf("%g\n", small / 4);
    int halvings = 0;
    for (double d = 1; d > 0; d /= 16)
        halvings++;
    printf("%d\n", halvings);
    int bits = 0;
    for (double e = 1; 1.0 + e != 1.0; e /= 2)
        bits++;
    int fbits = 0;
    for (float e = 1; (float)(1.0f + e) != 1.0f; e /= 2)
        fbits++;
    printf("%d %d %d %d\n", bits, DBL_MANT_DIG, fbits, FLT_MANT_DIG);
    printf("%g %g\n", FLT_MAX, DBL_EPSILON);
    return bits + fbits;
}
