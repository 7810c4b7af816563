/* A heap-allocated jagged array of rows, built and freed row by row. */
#include <stdio.h>
#include <stdlib.h>

static int **triangle(int n)
{
    int **rows = malloc((size_t)n * sizeof *rows);
    if (!rows)
        exit(1);
    for (int i = 0; i < n; i++) {
        rows[i] = calloc((size_t)i + 1, sizeof **rows);
        if (!rows[i])
            exit(2);
        rows[i][0] = rows[i][i] = 1;
        for (int k = 1; k < i; k++)
            rows[i][k] = rows[i - 1][k - 1] + rows[i - 1][k];
    }
    return rows;
}

int main(void)
{
    enum { N = 7 };
    int **t = triangle(N), sum = 0;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k <= i; k++) {
            printf("%d ", t[i][k]);
            sum += t[i][k];
        }
        putchar('\n');
    }
    int mid = t[N - 1][3];
    for (int i = N; i-- > 0;)
        free(t[i]);
    free(t);
    printf("%d\n", sum);
    return mid + sum % 100;
}
