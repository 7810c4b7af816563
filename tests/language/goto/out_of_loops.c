/* Leaving nested loops, and jumping over a block, with goto. */
#include <stdio.h>

static int search(const int m[3][4], int want, int *r, int *c)
{
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (j < 4) {
            if (m[i][j] == want) {
                *r = i;
                *c = j;
                goto found;
            }
            if (m[i][j] < 0)
                goto next_row;
            j++;
        }
        printf("row %d exhausted\n", i);
    next_row:;
    }
    return 0;
found:
    return 1;
}

int main(void)
{
    static const int m[3][4] = { { 1, 2, -1, 9 }, { 4, 5, 6, 7 }, { 8, -1, 3, 9 } };
    static const int wants[] = { 6, 9, 8, 3 };
    int code = 0;
    for (int i = 0; i < 4; i++) {
        int r = -1, c = -1;
        int ok = search(m, wants[i], &r, &c);
        printf("%d: %d at %d,%d\n", wants[i], ok, r, c);
        code = code * 2 + ok;
    }
    return code;
}
