/* _Generic dispatch on the type of an expression. */
#include <stdio.h>
#include <stdlib.h>

static int abs_i(int x) { return x < 0 ? -x : x; }
static long abs_l(long x) { return x < 0 ? -x : x; }
static double abs_d(double x) { return x < 0 ? -x : x; }

#define ABS(x) _Generic((x), int: abs_i, long: abs_l, double: abs_d)(x)
#define NAME(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", int: "int", unsigned: "unsigned", long: "long", float: "float", \
    double: "double", char *: "char *", const char *: "const char *", \
    int *: "int *", void *: "void *", default: "something")

struct other { int x; };

int main(void)
{
    printf("%d %ld %.1f\n", ABS(-3), ABS(-4L), ABS(-5.5));
    char c = 'c';
    short s = 1;
    struct other o = { 2 };
    int i[3] = { 1, 2, 3 };
    const char *t = "t";
    printf("%s %s %s\n", NAME(c), NAME(s), NAME(s + s));
    printf("%s %s %s\n", NAME('c'), NAME(1.0f), NAME(1.0f * 1.0));
    printf("%s %s %s\n", NAME(&i[0]), NAME(t), NAME((void *)i));
    printf("%s %s %s\n", NAME(o), NAME((_Bool)1), NAME(i[0] == 1));
    return (int)(ABS(-40L) + ABS(-2));
}
