/* Rows of characters against an array of string pointers. */
#include <stdio.h>

static char fixed[][6] = { "alpha", "be", "gamma" };
static const char *loose[] = { "alpha", "be", "gamma", "" };

int main(void)
{
    printf("%zu %zu\n", sizeof fixed, sizeof loose / sizeof *loose);
    for (int i = 0; i < 3; i++) {
        int same = 1, k = 0;
        for (; loose[i][k]; k++)
            same &= fixed[i][k] == loose[i][k];
        printf("%s %d %d\n", fixed[i], same, k);
    }
    fixed[1][0] = 'm';
    printf("%s\n", fixed[1]);
    loose[0] = loose[2] + 2;
    printf("%s\n", loose[0]);
    int padding = 0;
    for (int i = 0; i < 6; i++)
        padding += fixed[1][i] == 0;
    printf("%d\n", padding);
    char exact[3] = { 'a', 'b', 'c' };
    printf("%.3s\n", exact);
    return (int)sizeof fixed + padding;
}
