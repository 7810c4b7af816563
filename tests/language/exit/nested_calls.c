/* exit from deep inside a recursion. */
#include <stdio.h>
#include <stdlib.h>

static void descend(int n, int *path)
{
    path[n] = n * 3;
    printf("depth %d\n", n);
    if (n == 5) {
        int sum = 0;
        for (int i = 0; i <= n; i++)
            sum += path[i];
        exit(sum);
    }
    descend(n + 1, path);
    printf("never reached\n");
}

int main(void)
{
    int path[8] = { 0 };
    descend(0, path);
    return 1;
}
