/* Recursive quicksort and binary search. */
#include <stdio.h>

static void sort(int *a, int n)
{
    if (n < 2)
        return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    for (;;) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i >= j)
            break;
        int t = a[i];
        a[i++] = a[j];
        a[j--] = t;
    }
    sort(a, i);
    sort(a + i, n - i);
}

static int find(const int *a, int lo, int hi, int key)
{
    if (lo >= hi)
        return -lo - 1;
    int mid = lo + (hi - lo) / 2;
    if (a[mid] == key)
        return mid;
    return a[mid] < key ? find(a, mid + 1, hi, key) : find(a, lo, mid, key);
}

int main(void)
{
    int a[20];
    unsigned seed = 12345;
    for (int i = 0; i < 20; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (int)(seed >> 16) % 100 - 30;
    }
    sort(a, 20);
    for (int i = 0; i < 20; i++)
        printf("%d ", a[i]);
    putchar('\n');
    printf("%d %d %d\n", find(a, 0, 20, a[13]) == 13 || a[13] == a[find(a, 0, 20, a[13])],
           find(a, 0, 20, -1000), find(a, 0, 20, 1000));
    return a[19];
}
