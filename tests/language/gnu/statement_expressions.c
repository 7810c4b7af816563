/* GNU statement expressions, evaluated once. */
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) do { __typeof__(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define SUM(arr) ({ long _s = 0; for (unsigned _i = 0; _i < sizeof(arr) / sizeof *(arr); _i++) _s += (arr)[_i]; _s; })

static int calls;
static int expensive(int v) { calls++; return v * v; }

int main(void)
{
    int m = MAX(expensive(4), expensive(-5));
    printf("%d %d\n", m, calls);
    double d = MAX(2.5, 1.25);
    printf("%.2f\n", d);
    short s[] = { 1, 2, 3, -10 };
    unsigned char b[] = { 200, 200 };
    printf("%ld %ld\n", SUM(s), SUM(b));
    SWAP(s[0], s[3]);
    printf("%d %d\n", s[0], s[3]);
    int n = ({ int t = 1; while (t < 50) t *= 3; t; }) + ({ 4; });
    printf("%d\n", n);
    int nested = ({ int a = ({ int b = 2; b * b; }); a + MAX(a, 3); });
    printf("%d\n", nested);
    return n + nested;
}
