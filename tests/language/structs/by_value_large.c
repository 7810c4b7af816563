/* Large structures passed in memory; the callee changes its own copy. */
#include <stdio.h>

struct big { int v[10]; long tail; };
struct big24 { long a, b, c; };

static int sum_and_spoil(struct big b)
{
    int s = 0;
    for (int i = 0; i < 10; i++) {
        s += b.v[i];
        b.v[i] = -1;
    }
    b.tail = 0;
    return s + (int)b.tail;
}

static long two(struct big24 x, int k, struct big24 y)
{
    x.a *= k;
    y.c -= k;
    return x.a + x.b + x.c - y.a - y.b - y.c;
}

int main(void)
{
    struct big b = { .tail = 99 };
    for (int i = 0; i < 10; i++)
        b.v[i] = i * i;
    int s1 = sum_and_spoil(b), s2 = sum_and_spoil(b);
    printf("%d %d %ld %d\n", s1, s2, b.tail, b.v[9]);
    struct big24 x = { 1, 2, 3 }, y = { 10, 20, 30 };
    printf("%ld\n", two(x, 7, y));
    printf("%ld\n", two(y, -1, x));
    printf("%ld %ld\n", x.a, y.c);
    return s1 % 100;
}
