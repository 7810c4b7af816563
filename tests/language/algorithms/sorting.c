/* Bubble, insertion, selection and merge sort agree. */
#include <stdio.h>
#include <string.h>

#define N 9

static int compares;
static int less(int a, int b) { compares++; return a < b; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

static void bubble(int *a)
{
    int again = 1;
    for (int n = N; again; n--) {
        again = 0;
        for (int i = 1; i < n; i++)
            if (less(a[i], a[i - 1])) {
                swap(&a[i], &a[i - 1]);
                again = 1;
            }
    }
}
static void selection(int *a)
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            if (less(a[j], a[i]))
                swap(&a[j], &a[i]);
}
static void merge(int *a, int n)
{
    if (n < 2)
        return;
    int h = n / 2, t[N], i = 0, j = h, k = 0;
    merge(a, h);
    merge(a + h, n - h);
    while (i < h || j < n)
        t[k++] = j == n || (i < h && !less(a[j], a[i])) ? a[i++] : a[j++];
    memcpy(a, t, (size_t)n * sizeof *t);
}

int main(void)
{
    static const int in[N] = { 44, -7, 12, 99, 0, 12, -80, 5, 31 };
    int a[N], b[N], c[N], before;
    memcpy(a, in, sizeof a); memcpy(b, in, sizeof b); memcpy(c, in, sizeof c);
    bubble(a);
    before = compares;
    selection(b);
    printf("%d %d\n", before, compares - before);
    before = compares;
    merge(c, N);
    for (int i = 0; i < N; i++)
        printf("%d ", a[i]);
    printf("%d %d\n", memcmp(a, b, sizeof a), memcmp(a, c, sizeof a));
    return compares - before;
}
