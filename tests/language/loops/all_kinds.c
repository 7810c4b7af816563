/* for, while and do loops with break and continue in each. */
#include <stdio.h>

int main(void)
{
    int n = 0;
    for (int i = 0;; i++) {
        if (i % 2)
            continue;
        if (i > 12)
            break;
        n += i;
    }
    printf("%d\n", n);
    int w = 50;
    while (w > 0) {
        w -= 7;
        if (w % 3 == 0)
            continue;
        if (w < 10)
            break;
        n++;
    }
    printf("%d %d\n", w, n);
    int d = 0;
    do {
        d++;
        if (d == 3)
            continue;
        n += d;
    } while (d < 5);
    printf("%d %d\n", d, n);
    do
        n--;
    while (0);
    for (int i = 10, j = 0; i > j; i -= 2, j++)
        printf("%d,%d ", i, j);
    putchar('\n');
    for (; n % 11; n++)
        ;
    printf("%d\n", n);
    return n;
}
