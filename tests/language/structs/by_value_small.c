/* Small structures passed and returned in registers. */
#include <stdio.h>

struct c1 { char a; };
struct c3 { char a, b, c; };
struct i2 { int a, b; };
struct ci { char c; int i; };
struct l2 { long a, b; };
struct li { long a; int b; };
struct s5 { short v[5]; };

static struct c1 inc1(struct c1 s) { s.a++; return s; }
static struct c3 rot3(struct c3 s) { struct c3 r = { s.b, s.c, s.a }; return r; }
static struct i2 swap(struct i2 s) { struct i2 r = { s.b, s.a }; return r; }
static struct ci twice(struct ci s) { s.i *= 2; s.c++; return s; }
static struct l2 sums(struct l2 s, long k) { s.a += k; s.b -= k; return s; }
static struct li mix(struct li s, struct i2 t) { s.a += t.a; s.b += t.b; return s; }
static struct s5 rev(struct s5 s)
{
    struct s5 r;
    for (int i = 0; i < 5; i++)
        r.v[i] = s.v[4 - i];
    return r;
}

int main(void)
{
    struct c1 a = inc1((struct c1){ 'x' });
    struct c3 b = rot3((struct c3){ 'p', 'q', 'r' });
    struct i2 c = swap((struct i2){ -1, 2 });
    struct ci d = twice((struct ci){ 'k', 21 });
    struct l2 e = sums((struct l2){ 1L << 40, 5 }, 100);
    struct li f = mix((struct li){ -5, 6 }, c);
    struct s5 g = rev((struct s5){ { 1, -2, 3, -4, 5 } });
    printf("%c %c%c%c\n", a.a, b.a, b.b, b.c);
    printf("%d %d %c %d\n", c.a, c.b, d.c, d.i);
    printf("%ld %ld %ld %d\n", e.a, e.b, f.a, f.b);
    for (int i = 0; i < 5; i++)
        printf("%d ", g.v[i]);
    putchar('\n');
    return d.i + f.b;
}
