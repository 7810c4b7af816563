/* Builtins on floating-point values and memory. */
#include <stdio.h>

int main(void)
{
    double d = -2.25;
    printf("%.2f %.2f\n", __builtin_fabs(d), __builtin_copysign(9.0, d));
    printf("%g %g\n", __builtin_inf(), -__builtin_huge_val());
    double n = __builtin_nan("");
    printf("%d %d\n", __builtin_isnan(n) != 0, n == n);
    printf("%d %d\n", __builtin_isinf_sign(-__builtin_inf()) < 0, __builtin_signbit(-0.0) != 0);
    printf("%.1f %.1f\n", __builtin_floor(d), __builtin_ceil(d));
    printf("%.3f\n", __builtin_sqrt(d * d));
    char a[8] = "abcdefg", b[8];
    __builtin_memcpy(b, a, sizeof a);
    __builtin_memset(a, 'z', 3);
    printf("%s %s %d\n", a, b, __builtin_memcmp(a, b, 8) > 0);
    printf("%zu\n", __builtin_strlen(b));
    printf("%d\n", __builtin_abs(-77));
    return __builtin_abs((int)(d * 4)) + (int)__builtin_trunc(3.9);
}
