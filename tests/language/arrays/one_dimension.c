/* One-dimensional arrays: partial initialisers, reversal, running sums. */
#include <stdio.h>

static void reverse(int *a, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

static void show(const int a[], int n)
{
    for (int i = 0; i < n; i++)
        printf("%d%c", a[i], i == n - 1 ? '\n' : ' ');
}

int main(void)
{
    int a[8] = { 5, -3, 8 };
    show(a, 8);
    for (int i = 3; i < 8; i++)
        a[i] = a[i - 1] + a[i - 2] - a[i - 3];
    show(a, 8);
    reverse(a, 8);
    show(a, 8);
    reverse(a + 2, 3);
    show(a, 8);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += a[i];
        a[i] = sum;
    }
    show(a, 8);
    printf("%d\n", 3[a]);
    return sum;
}
