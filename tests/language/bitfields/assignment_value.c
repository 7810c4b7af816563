/* The value of an assignment to a bit-field is the stored value. */
#include <stdio.h>

struct s { unsigned u : 4; int i : 5; };

static int twice(int v) { return v * 2; }

int main(void)
{
    struct s a = { 0, 0 };
    int r1 = twice((int)(a.u = 13));
    int r2 = a.i = -16;
    printf("%d %d\n", r1, r2);
    int r3 = (int)a.u++;
    int r4 = (int)++a.u;
    printf("%d %d %u\n", r3, r4, a.u);
    unsigned r5 = (a.u += 5);
    printf("%u %u\n", r5, a.u);
    int r6 = a.i++ < -15;
    printf("%d\n", r6);
    a.i = 7;
    int r7 = (a.i *= 2) + 100;
    printf("%d %d\n", r7, a.i);
    struct s *p = &a, b;
    b = *p;
    p->u |= 8;
    printf("%u %u\n", p->u, b.u);
    return (int)(r5 + (unsigned)r7 % 50);
}
