/* GNU vector types: element-wise arithmetic and subscripts. */
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static v4 fma4(v4 a, v4 b, v4 c) { return a * b + c; }
static int hsum(v4 v) { return v[0] + v[1] + v[2] + v[3]; }

int main(void)
{
    v4 a = { 1, 2, 3, 4 }, b = { 10, 20, 30, 40 };
    v4 r = fma4(a, b, a);
    printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
    r[2] = -1;
    v4 mask = r > 50;
    printf("%d %d %d %d\n", mask[0], mask[1], mask[2], mask[3]);
    v4 sel = (a & mask) | (b & ~mask);
    printf("%d\n", hsum(sel));
    f4 f = { 0.5f, 1.5f, -2.0f, 8.0f };
    f4 g = f * f - 1.0f;
    printf("%.2f %.2f %.2f %.2f\n", g[0], g[1], g[2], g[3]);
    r = a << 2;
    r ^= (v4){ 1, 1, 1, 1 };
    printf("%d\n", hsum(r));
    printf("%zu\n", sizeof(v4));
    return hsum(a - b) + 100;
}
