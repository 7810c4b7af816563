/* Every compound assignment on several types and lvalue shapes. */
#include <stdio.h>

struct s { unsigned char b; short h; long l; };

static int index_calls;
static int next_index(void) { return index_calls++; }

int main(void)
{
    int v = 100;
    v += 7; v -= 3; v *= 2; v /= 5; v %= 30; v <<= 4; v >>= 1; v &= 0x5f; v |= 0x21; v ^= 0xf;
    printf("%d\n", v);
    struct s s = { 250, -5, 1 };
    s.b += 10;
    s.b <<= 2;
    s.h *= 300;
    s.h >>= 2;
    s.l <<= 40;
    s.l |= s.b;
    printf("%d %d %ld\n", s.b, s.h, s.l);
    int a[4] = { 1, 2, 3, 4 };
    a[next_index()] += 10;
    a[next_index()] *= 10;
    a[a[0] - 9] -= 1;
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], index_calls);
    int *p = a;
    *p++ += 5;
    *p-- -= 5;
    printf("%d %d\n", a[0], a[1]);
    int x, y, z;
    x = y = z = 9;
    x += y -= z /= 2;
    printf("%d %d %d\n", x, y, z);
    unsigned char q = 3;
    q = q - 10 < 0 ? q | 0x40 : 0;
    return q;
}
