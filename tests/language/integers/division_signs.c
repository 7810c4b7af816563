/* Division truncates towards zero, and the remainder follows the dividend. */
#include <stdio.h>

static int floor_mod(int a, int b)
{
    int r = a % b;
    return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

int main(void)
{
    static const int as[] = { 7, -7, 0, 100, -100 };
    static const int bs[] = { 3, -3, 7 };
    int acc = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++) {
            int a = as[i], b = bs[j];
            printf("%d/%d=%d %d%%%d=%d floor=%d\n", a, b, a / b, a, b, a % b, floor_mod(a, b));
            acc += a / b * b + a % b;
        }
    long la = -10000000000L;
    printf("%ld %ld\n", la / 3, la % 3);
    signed char c = -128;
    printf("%d %d\n", c / 3, c % 5);
    printf("%d\n", c / -1);
    return acc == 0 ? 17 : 1;
}
