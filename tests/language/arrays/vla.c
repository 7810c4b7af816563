/* Variable-length arrays in one and two dimensions. */
#include <stdio.h>

static int triangle(int n)
{
    int row[n + 1];
    for (int i = 0; i <= n; i++)
        row[i] = i == 0;
    for (int k = 0; k < n; k++)
        for (int i = n; i > 0; i--)
            row[i] += row[i - 1];
    int alternating = 0;
    for (int i = 0; i <= n; i++) {
        printf("%d ", row[i]);
        alternating += (i % 2 ? -1 : 1) * row[i] * (i + 1);
    }
    printf("(%zu)\n", sizeof row);
    return alternating;
}

static int trace(int n, int m[n][n])
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

int main(void)
{
    int last = 0;
    for (int n = 1; n < 6; n++)
        last += triangle(n);
    int n = 4;
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i * n + j;
    printf("%d %zu %zu\n", trace(n, m), sizeof m, sizeof m[0]);
    printf("%d\n", last);
    return trace(n, m) + last;
}
