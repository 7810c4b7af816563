/* Increment and decrement of every scalar type, with their values. */
#include <stdio.h>

int main(void)
{
    unsigned char uc = 255;
    int r1 = uc++;
    int r2 = uc--;
    int r3 = --uc;
    printf("%d %d %d\n", r1, r2, r3);
    signed char sc = -2;
    int r4 = ++sc + 5;
    int r5 = sc-- + 5;
    printf("%d %d %d\n", r4, r5, sc);
    double d = 0.5;
    double d1 = d++, d2 = ++d;
    printf("%.1f %.1f\n", d1, d2);
    float f = -0.25f;
    f--;
    printf("%.2f\n", f);
    unsigned long ul = 0;
    ul--;
    printf("%lu\n", ul);
    struct { int a[3]; } s = { { 1, 2, 3 } };
    int k = 0;
    s.a[k++]++;
    ++s.a[++k];
    printf("%d %d %d %d\n", s.a[0], s.a[1], s.a[2], k);
    long long big = 0xffffffff;
    printf("%lld\n", ++big);
    return r4 * 10 + r5 + (int)d2;
}
