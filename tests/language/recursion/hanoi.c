/* The towers of Hanoi, checking the rules while moving. */
#include <stdio.h>

static int peg[3][5], height[3], moves;

static void move(int from, int to)
{
    int disc = peg[from][--height[from]];
    if (height[to] > 0 && peg[to][height[to] - 1] < disc)
        printf("illegal!\n");
    peg[to][height[to]++] = disc;
    moves++;
    if (moves < 6)
        printf("%d: %c->%c\n", disc, 'A' + from, 'A' + to);
}

static void hanoi(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    move(from, to);
    hanoi(n - 1, via, to, from);
}

int main(void)
{
    for (int d = 5; d >= 1; d--)
        peg[0][height[0]++] = d;
    hanoi(5, 0, 2, 1);
    for (int i = 0; i < height[2]; i++)
        printf("%d", peg[2][i]);
    printf(" in %d moves\n", moves);
    return moves;
}
