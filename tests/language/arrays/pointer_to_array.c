/* Pointers to whole arrays and arrays of pointers. */
#include <stdio.h>

static int last(int (*p)[4]) { return (*p)[3]; }

int main(void)
{
    int grid[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
    int (*row)[4] = grid;
    printf("%d %d\n", (*row)[2], row[1][0]);
    row++;
    printf("%d %d\n", last(row), last(row + 1));
    printf("%d\n", (int)(row - grid));
    int (*whole)[3][4] = &grid;
    (*whole)[0][0] = 100;
    printf("%d %zu %zu\n", grid[0][0], sizeof *whole, sizeof *row);
    int *ptrs[3] = { grid[2], grid[0], &grid[1][2] };
    for (int i = 0; i < 3; i++)
        printf("%d ", *ptrs[i]);
    putchar('\n');
    int **pp = ptrs;
    pp += 2;
    printf("%d %d\n", **pp, *(*pp + 1));
    int line[4] = { 7, 7, 7, 77 };
    return last(&line) + **pp;
}
