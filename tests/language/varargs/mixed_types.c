/* ints, longs, doubles and pointers mixed in one argument list. */
#include <stdarg.h>
#include <stdio.h>

static void dump(const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf("int %d\n", va_arg(ap, int)); break;
        case 'u': printf("unsigned %u\n", va_arg(ap, unsigned)); break;
        case 'l': printf("long %ld\n", va_arg(ap, long)); break;
        case 'd': printf("double %.3f\n", va_arg(ap, double)); break;
        case 's': printf("string %s\n", va_arg(ap, const char *)); break;
        case 'p': {
            int *p = va_arg(ap, int *);
            *p += 1;
            printf("pointee %d\n", *p);
            break;
        }
        }
    va_end(ap);
}

int main(void)
{
    int x = 41;
    float f = 0.125f;
    dump("idlsp", -1, 2.5, 1L << 50, "text", &x);
    dump("ddddddddddi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11);
    dump("iiiiiiidlu", 1, 2, 3, 4, 5, 6, 7, (double)f, -8L, 4000000000u);
    dump("");
    return x;
}
