/* __builtin_{add,sub,mul}_overflow on signed types. */
#include <limits.h>
#include <stdio.h>

static int safe_factorial(int n, int *out)
{
    int r = 1;
    for (int i = 2; i <= n; i++)
        if (__builtin_mul_overflow(r, i, &r))
            return i;
    *out = r;
    return 0;
}

int main(void)
{
    int r;
    int o1 = __builtin_add_overflow(INT_MAX, 1, &r);
    printf("%d %d\n", o1, r);
    int o2 = __builtin_sub_overflow(INT_MIN, 1, &r);
    printf("%d %d\n", o2, r);
    int o3 = __builtin_mul_overflow(65536, 65536, &r);
    printf("%d %d\n", o3, r);
    int o4 = __builtin_add_overflow(-5, 3, &r);
    printf("%d %d\n", o4, r);
    long l;
    int o5 = __builtin_mul_overflow(LONG_MAX, 2L, &l);
    printf("%d %ld\n", o5, l);
    signed char c;
    int o6 = __builtin_add_overflow((signed char)100, (signed char)100, &c);
    printf("%d %d\n", o6, c);
    int f = 0;
    int ok = safe_factorial(12, &f), bad = safe_factorial(15, &f);
    printf("%d %d %d\n", ok, f, bad);
    return o1 + o2 + o3 + o4 + o5 + o6 + bad * 5;
}
