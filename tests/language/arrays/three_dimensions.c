/* A three-dimensional array filled and sliced. */
#include <stdio.h>

static short cube[3][4][5];

static int slice_sum(short (*plane)[5], int rows)
{
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 5; j++)
            s += plane[i][j];
    return s;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                cube[i][j][k] = (short)(100 * i + 10 * j + k);
    printf("%d %d %d\n", cube[0][0][0], cube[1][2][3], cube[2][3][4]);
    for (int i = 0; i < 3; i++)
        printf("%d\n", slice_sum(cube[i], 4));
    printf("%d\n", slice_sum(&cube[1][1], 2));
    printf("%d\n", *(*(*(cube + 2) + 1) + 4));
    printf("%zu %zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0], sizeof cube[0][0][0]);
    return slice_sum(cube[0], 1) * 7 + cube[0][3][3];
}
