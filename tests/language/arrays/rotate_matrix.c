/* Rotating a square matrix in place and reading it as a spiral. */
#include <stdio.h>

enum { N = 4 };

static void rotate(unsigned char m[N][N])
{
    for (int i = 0; i < N / 2; i++)
        for (int j = i; j < N - 1 - i; j++) {
            unsigned char t = m[i][j];
            m[i][j] = m[N - 1 - j][i];
            m[N - 1 - j][i] = m[N - 1 - i][N - 1 - j];
            m[N - 1 - i][N - 1 - j] = m[j][N - 1 - i];
            m[j][N - 1 - i] = t;
        }
}

int main(void)
{
    unsigned char m[N][N];
    for (int i = 0; i < N * N; i++)
        m[i / N][i % N] = (unsigned char)('A' + i);
    rotate(m);
    for (int i = 0; i < N; i++)
        printf("%.4s\n", (const char *)m[i]);
    int top = 0, bottom = N - 1, left = 0, right = N - 1;
    while (top <= bottom && left <= right) {
        for (int j = left; j <= right; j++) putchar(m[top][j]);
        top++;
        for (int i = top; i <= bottom; i++) putchar(m[i][right]);
        right--;
        for (int j = right; top <= bottom && j >= left; j--) putchar(m[bottom][j]);
        bottom--;
        for (int i = bottom; left <= right && i >= top; i--) putchar(m[i][left]);
        left++;
    }
    putchar('\n');
    return m[0][0];
}
