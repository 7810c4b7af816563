/* Integer and double matrix products, and a determinant. */
#include <stdio.h>

#define N 3

static void multiply(const int a[N][N], const int b[N][N], int out[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            out[i][j] = 0;
            for (int k = 0; k < N; k++)
                out[i][j] += a[i][k] * b[k][j];
        }
}

static double determinant(double m[N][N])
{
    double det = 1;
    for (int c = 0; c < N; c++) {
        int p = c;
        while (p < N && m[p][c] == 0)
            p++;
        if (p == N)
            return 0;
        if (p != c) {
            for (int k = 0; k < N; k++) {
                double t = m[p][k];
                m[p][k] = m[c][k];
                m[c][k] = t;
            }
            det = -det;
        }
        det *= m[c][c];
        for (int r = c + 1; r < N; r++) {
            double f = m[r][c] / m[c][c];
            for (int k = c; k < N; k++)
                m[r][k] -= f * m[c][k];
        }
    }
    return det;
}

int main(void)
{
    const int a[N][N] = { { 1, 2, 3 }, { 0, -1, 4 }, { 5, 0, 2 } }, b[N][N] = { { 2, 0, 1 }, { 1, 1, 0 }, { 0, 3, -2 } };
    int c[N][N];
    multiply(a, b, c);
    for (int i = 0; i < N; i++)
        printf("%d %d %d\n", c[i][0], c[i][1], c[i][2]);
    double m[N][N] = { { 0, 2, 1 }, { 4, 8, -4 }, { 2, 1, 1 } };
    double d = determinant(m);
    printf("%.3f\n", d);
    return c[0][1] + c[2][0] + (d < 0);
}
