/* _Bool operands in arithmetic, increments and compound assignments. */
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    bool flags[5] = { true, false, true, true };
    int n = 0;
    for (int i = 0; i < 5; i++)
        n += flags[i];
    printf("%d set\n", n);

    bool b = false;
    b += 5;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    b |= 6;
    printf("%d\n", b);
    b ^= 1;
    printf("%d\n", b);
    b++;
    b++;
    printf("%d\n", b);
    printf("%d %d %d\n", true + true, -b, !b);
    printf("%d\n", (5 > 3) == true);
    bool parity = false;
    for (unsigned v = 0xb7; v; v &= v - 1)
        parity = !parity;
    printf("%d\n", parity);
    return n * 10 + parity;
}
