/* exit called by a callback in the middle of a walk. */
#include <stdio.h>
#include <stdlib.h>

typedef void (*visit)(int, int);

static void walk(const int *a, int n, visit f)
{
    for (int i = 0; i < n; i++)
        f(i, a[i]);
    puts("walk complete");
}

static void show(int i, int v) { printf("%d:%d\n", i, v); }
static void stop_at_negative(int i, int v)
{
    show(i, v);
    if (v < 0)
        exit(50 - v + i);
}

int main(void)
{
    static const int a[] = { 4, 8, 15 }, b[] = { 16, 23, -42, 108 };
    walk(a, 3, show);
    walk(a, 3, stop_at_negative);
    walk(b, 4, stop_at_negative);
    puts("unreachable");
    return 0;
}
