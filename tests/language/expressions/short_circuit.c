/* && and || evaluate only what they need. */
#include <stdio.h>

static int trace(int v, char c)
{
    putchar(c);
    return v;
}

int main(void)
{
    int n = 0;
    n += trace(0, 'a') && trace(1, 'b');
    n += trace(1, 'c') && trace(2, 'd');
    n += trace(0, 'e') || trace(0, 'f');
    n += trace(5, 'g') || trace(1, 'h');
    n += trace(0, 'i') && trace(0, 'j') ? 100 : 0;
    n += (trace(0, 'k') || trace(1, 'l')) && trace(1, 'm');
    n += !trace(0, 'n') && !(trace(1, 'o') && trace(0, 'p'));
    putchar('\n');
    int *p = NULL, x = 4;
    if (p && *p)
        n += 50;
    p = &x;
    if (!p || *p == 4)
        n += 10;
    int i = 0;
    (void)(i++ && i++);
    (void)(i++ || i++);
    printf("%d %d\n", n, i);
    return n * 2 + i;
}
