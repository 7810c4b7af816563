/* Ackermann's function and McCarthy's 91, with call counts. */
#include <stdio.h>

static int calls, deepest;

static int ack(int m, int n, int depth)
{
    calls++;
    if (depth > deepest)
        deepest = depth;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1, depth + 1);
    return ack(m - 1, ack(m, n - 1, depth + 1), depth + 1);
}

static int mccarthy(int n) { return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11)); }

int main(void)
{
    printf("%d\n", ack(2, 3, 0));
    printf("%d calls, depth %d\n", calls, deepest);
    calls = 0;
    printf("%d\n", ack(3, 1, 0));
    printf("%d calls\n", calls);
    printf("%d %d %d\n", mccarthy(90), mccarthy(55), mccarthy(120));
    return calls % 126;
}
