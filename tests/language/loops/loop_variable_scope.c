/* Shadowing, block scopes and lifetimes inside loop bodies. */
#include <stdio.h>

int main(void)
{
    int i = 100, total = 0;
    for (int i = 0; i < 3; i++) {
        int i_squared = i * i;
        {
            int i = 50;
            total += i++;
        }
        total += i_squared;
    }
    printf("%d %d\n", i, total);
    int history[4], *slot = history;
    for (int k = 1; k <= 4; k++) {
        int fresh = k;
        fresh *= 3;
        *slot++ = fresh;
    }
    while (slot > history)
        printf("%d ", *--slot);
    putchar('\n');
    int x = 1;
    if (x) {
        int x = 2;
        while (x < 10) {
            int x2 = x * x;
            x += x2;
            total += x;
        }
        printf("%d\n", x);
    }
    printf("%d %d\n", x, total);
    return total % 120;
}
