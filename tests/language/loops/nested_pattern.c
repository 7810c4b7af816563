/* Nested loops drawing patterns. */
#include <stdio.h>

static void diamond(int n)
{
    for (int i = -n; i <= n; i++) {
        int gap = i < 0 ? -i : i;
        for (int j = 0; j < gap; j++)
            putchar(' ');
        for (int j = 0; j < 2 * (n - gap) + 1; j++)
            putchar(j % 2 ? '-' : '*');
        putchar('\n');
    }
}

int main(void)
{
    diamond(3);
    int cells = 0;
    for (int i = 1; i <= 5; i++) {
        for (int j = 1; j <= i; j++) {
            printf("%3d", i * j);
            cells++;
        }
        putchar('\n');
    }
    for (char c = 'A'; c < 'E'; c++, putchar(' '))
        for (char d = c; d >= 'A'; d--)
            putchar(d);
    putchar('\n');
    return cells;
}
