/* typeof on expressions and types, __auto_type, zero-length arrays. */
#include <stdio.h>
#include <stdlib.h>

struct msg { int len; char body[0]; };

typedef __typeof__(int (*)(int)) handler;
static int inc(int v) { return v + 1; }

int main(void)
{
    int x = 5;
    __typeof__(x) y = x * 2;
    __typeof__(&x) p = &y;
    *p += 1;
    __typeof__(int[3]) arr = { 1, 2, 3 };
    __typeof__(arr[0] * 1.0) d = arr[2] / 2.0;
    printf("%d %zu %.2f\n", y, sizeof arr, d);
    __auto_type u = 3000000000u;
    __auto_type l = u * 2ul;
    printf("%u %lu\n", u, l);
    handler h = inc;
    __typeof__(h) table[2] = { h, h };
    printf("%d\n", table[1](table[0](40)));
    struct msg *m = malloc(sizeof *m + 6);
    if (!m)
        return 1;
    m->len = 5;
    __typeof__(m->body[0]) *q = m->body;
    for (int i = 0; i < m->len; i++)
        *q++ = (char)('v' + i % 3);
    *q = 0;
    printf("%s %zu\n", m->body, sizeof *m);
    free(m);
    return y + h(6);
}
