/* Designated initialisers: out of order, nested, gaps, overriding position. */
#include <stdio.h>

struct in { int a, b; };
struct out { char c; struct in i[3]; double d; int tail[5]; };

int main(void)
{
    struct out o = {
        .d = 2.5,
        .i = { [1] = { .b = 7 }, [2].a = 8 },
        .tail = { [3] = 4, 5, [0] = 1 },
        .c = 'd',
    };
    printf("%c %.1f\n", o.c, o.d);
    for (int k = 0; k < 3; k++)
        printf("(%d,%d)", o.i[k].a, o.i[k].b);
    putchar('\n');
    for (int k = 0; k < 5; k++)
        printf("%d ", o.tail[k]);
    putchar('\n');
    int sparse[] = { [9] = 9, [2] = 2, 3 };
    printf("%zu", sizeof sparse / sizeof *sparse);
    for (int k = 0; k < 10; k++)
        printf(" %d", sparse[k]);
    putchar('\n');
    struct out p = { 'x', { { 1, 2 }, 3, 4 }, .tail = { 6 } };
    printf("%d %d %d %d\n", p.i[0].b, p.i[1].b, p.i[2].a, p.tail[0]);
    return o.i[1].b * 10 + sparse[3];
}
