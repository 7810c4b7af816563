/* Variadic functions over ints, more than fit in registers. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static int until_zero(int first, ...)
{
    va_list ap;
    va_start(ap, first);
    int s = 0, sign = 1;
    for (int v = first; v; v = va_arg(ap, int), sign = -sign)
        s += sign * v;
    va_end(ap);
    return s;
}

int main(void)
{
    printf("%d\n", sum(0));
    printf("%d\n", sum(3, 1, 2, 3));
    printf("%d\n", sum(5, 1, -2, 3, -4, 5));
    printf("%d\n", sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%d\n", until_zero(9, 1, 8, 2, 7, 3, 6, 4, 5, 0));
    char c = 'a';
    short h = -7;
    _Bool b = 1;
    printf("%d\n", sum(3, c, h, b));
    return sum(8, 1, 1, 2, 3, 5, 8, 13, 21);
}
