/* Sparse and extreme case values at int and long width. */
#include <limits.h>
#include <stdio.h>

static int small(int x)
{
    switch (x) {
    case INT_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 65536: return 5;
    case INT_MAX: return 6;
    }
    return 0;
}

static int large(long x)
{
    switch (x) {
    case LONG_MIN: return 1;
    case -4294967296L: return 2;
    case 4294967295L: return 3;
    case 4294967296L: return 4;
    case LONG_MAX: return 5;
    default: return 9;
    }
}

int main(void)
{
    static const int xs[] = { INT_MIN, -1000000, -1, 0, 65536, INT_MAX, 1, -2 };
    static const long ls[] = { LONG_MIN, -4294967296L, -1, 0, 4294967295L, 4294967296L, LONG_MAX };
    int code = 0;
    for (int i = 0; i < 8; i++) {
        printf("%d", small(xs[i]));
        code += small(xs[i]) * i;
    }
    putchar('\n');
    for (int i = 0; i < 7; i++) {
        printf("%d", large(ls[i]));
        code += large(ls[i]);
    }
    putchar('\n');
    return code % 126;
}
