/* A dense switch with a default in the middle. */
#include <stdio.h>

static int f(int x)
{
    switch (x) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    default: return -1;
    case 3: return 43;
    case 4: return 54;
    case 5: return 65;
    case 7: return 87;
    }
}

static const char *month(int m)
{
    switch (m) {
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return "31";
    case 4: case 6: case 9: case 11: return "30";
    case 2: return "28/29";
    }
    return "none";
}

int main(void)
{
    int s = 0;
    for (int i = -1; i < 9; i++) {
        int v = f(i);
        printf("%d ", v);
        s += v;
    }
    putchar('\n');
    for (int m = 0; m <= 13; m++)
        printf("%s ", month(m));
    putchar('\n');
    return s % 113;
}
