/* Assertions that hold, with side-effect-free and called conditions. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int sorted(const int *a, int n)
{
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    return 1;
}

static int insert(int *a, int n, int v)
{
    assert(sorted(a, n));
    int i = n;
    while (i > 0 && a[i - 1] > v) {
        a[i] = a[i - 1];
        i--;
    }
    a[i] = v;
    assert(a[i] == v && sorted(a, n + 1));
    return n + 1;
}

int main(void)
{
    int a[8], n = 0;
    static const int in[] = { 5, 2, 9, 2, 7, -1 };
    for (int i = 0; i < 6; i++)
        n = insert(a, n, in[i]);
    assert(n == 6);
    assert(strcmp("x", "y") < 0);
    assert((void *)a != NULL);
    assert(0.5 + 0.5 == 1.0);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    putchar('\n');
    return a[n - 1] * n;
}
