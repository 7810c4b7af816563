/* Unwinding by return values from a recursive search that stops early. */
#include <stdio.h>

static int visited;

static int search(int value, int depth, int target)
{
    visited++;
    if (value == target)
        return depth;
    if (depth == 6 || value > target)
        return -1;
    int r = search(value * 2, depth + 1, target);
    if (r >= 0)
        return r;
    return search(value + 3, depth + 1, target);
}

int main(void)
{
    int a = search(1, 0, 22);
    printf("%d %d\n", a, visited);
    int b = search(1, 0, 1000);
    printf("%d %d\n", b, visited);
    if (b < 0)
        return a >= 0 ? visited % 100 : 1;
    return 0;
}
