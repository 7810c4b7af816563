/* Backtracking: four and five queens, and the permutations of a string. */
#include <stdio.h>

static int solutions;

static void queens(int n, int row, unsigned cols, unsigned up, unsigned down)
{
    if (row == n) {
        solutions++;
        return;
    }
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c, u = 1u << (row + c), d = 1u << (row - c + n);
        if ((cols & bit) || (up & u) || (down & d))
            continue;
        queens(n, row + 1, cols | bit, up | u, down | d);
    }
}

static int permute(char *s, int k, int n)
{
    if (k == n) {
        printf("%s ", s);
        return 1;
    }
    int count = 0;
    for (int i = k; i < n; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        count += permute(s, k + 1, n);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
    return count;
}

int main(void)
{
    queens(4, 0, 0, 0, 0);
    printf("%d\n", solutions);
    queens(5, 0, 0, 0, 0);
    printf("%d\n", solutions);
    char s[] = "abc";
    int n = permute(s, 0, 3);
    printf("%d %s\n", n, s);
    return solutions * 9 + n;
}
