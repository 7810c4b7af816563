/* Two-dimensional arrays: transposition, row pointers, column sums. */
#include <stdio.h>

enum { R = 3, C = 4 };

static void transpose(int in[R][C], int out[C][R])
{
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            out[j][i] = in[i][j];
}

static int column(int m[][C], int rows, int c)
{
    int s = 0;
    for (int i = 0; i < rows; i++)
        s += m[i][c];
    return s;
}

int main(void)
{
    int m[R][C] = { { 1, 2, 3, 4 }, { 5, 6 }, { -1, -2, -3, -4 } }, t[C][R];
    transpose(m, t);
    for (int i = 0; i < C; i++) {
        int *row = t[i];
        printf("%d %d %d\n", row[0], row[1], row[2]);
    }
    for (int c = 0; c < C; c++)
        printf("%d ", column(m, R, c));
    putchar('\n');
    printf("%d %d\n", column(m + 1, 2, 0), column(m, 1, 3));
    printf("%zu %zu\n", sizeof m, sizeof m[0]);
    printf("%d\n", (int)(&m[2][1] - &m[0][0]));
    return t[3][0] * 10 + t[1][1];
}
