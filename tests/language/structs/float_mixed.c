/* Structures mixing floating and integer members in both eightbytes. */
#include <stdio.h>

struct di { double d; int i; };
struct id { long i; double d; };
struct fi { float f; int i; };
struct ffi { float a, b; int i; };
struct cfd { char c; float f; double d; };
struct dd { double a, b; };

static struct di f1(struct di s) { s.d *= 2; s.i -= 1; return s; }
static struct id f2(struct id s) { s.d += (double)s.i; s.i = 7; return s; }
static struct fi f3(struct fi s) { s.f /= 4; s.i <<= 1; return s; }
static struct ffi f4(struct ffi s) { float t = s.a; s.a = s.b; s.b = t; s.i = -s.i; return s; }
static struct cfd f5(struct cfd s) { s.d -= s.f; s.c++; return s; }
static struct dd f6(struct dd s, struct dd t) { s.a *= t.b; s.b *= t.a; return s; }

int main(void)
{
    struct di a = f1((struct di){ 1.25, 10 });
    struct id b = f2((struct id){ 40, 0.5 });
    struct fi c = f3((struct fi){ 3.0f, 21 });
    struct ffi d = f4((struct ffi){ 1.5f, 2.5f, 9 });
    struct cfd e = f5((struct cfd){ 'm', 0.25f, 8.0 });
    struct dd f = f6((struct dd){ 1.5, 2.0 }, (struct dd){ 3.0, 4.0 });
    printf("%.2f %d\n", a.d, a.i);
    printf("%ld %.2f\n", b.i, b.d);
    printf("%.3f %d\n", c.f, c.i);
    printf("%.1f %.1f %d\n", d.a, d.b, d.i);
    printf("%c %.2f %.2f\n", e.c, e.f, e.d);
    printf("%.1f %.1f\n", f.a, f.b);
    return a.i + c.i + (int)f.b;
}
