/* Structures as variadic arguments, in registers and in memory. */
#include <stdarg.h>
#include <stdio.h>

struct small { int a, b; };
struct dpair { double x, y; };
struct big { long v[4]; };

static long collect(const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    long total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 's') {
            struct small s = va_arg(ap, struct small);
            total += s.a * 10 + s.b;
        } else if (*kinds == 'd') {
            struct dpair d = va_arg(ap, struct dpair);
            total += (long)(d.x * d.y);
        } else if (*kinds == 'b') {
            struct big b = va_arg(ap, struct big);
            total += b.v[0] + b.v[1] + b.v[2] + b.v[3];
        } else
            total += va_arg(ap, int);
        printf("%c %ld\n", *kinds, total);
    }
    va_end(ap);
    return total;
}

int main(void)
{
    struct small s = { 1, 2 };
    struct dpair d = { 2.5, 4.0 };
    struct big b = { { 1, 2, 3, 4 } };
    long r = collect("sdbi", s, d, b, 5);
    r += collect("bsisissi", b, s, 1, s, 2, s, s, 3);
    return (int)(r % 126);
}
