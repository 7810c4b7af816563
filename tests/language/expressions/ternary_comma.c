/* Conditional chains, comma operators and conditionals as operands. */
#include <stdio.h>

static int calls;
static int call(int v) { calls++; return v; }
static const char *size_of(int n) { return n < 10 ? "small" : n < 100 ? "medium" : n < 1000 ? "large" : "huge"; }

int main(void)
{
    for (int i = 5; i < 10000; i *= 10)
        printf("%s ", size_of(i));
    putchar('\n');
    int a = 3, b = 7;
    int m = (a > b ? a : b) * (a < b ? 10 : 100);
    printf("%d\n", m);
    *(a > b ? &a : &b) = 0;
    printf("%d %d\n", a, b);
    int c = (call(1), call(2), call(40) + 2);
    printf("%d %d\n", c, calls);
    int r = c ? call(5) : call(6) + call(7);
    printf("%d %d\n", r, calls);
    int x, y;
    for (x = 0, y = 10; x < y; x++, y -= 2)
        ;
    printf("%d %d\n", x, y);
    double d = a ? 1 : 2.5;
    printf("%.1f %zu\n", d / 2, sizeof(a ? 1 : 2.5));
    return c + calls + x;
}
