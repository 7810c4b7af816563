/* Operator precedence and associativity. */
#include <stdio.h>

int main(void)
{
    int a = 6, b = 3, c = 2;
    printf("%d %d\n", a - b - c, a - (b - c));
    printf("%d %d\n", a / b * c, a / (b * c));
    printf("%d %d\n", a + b << c, a + (b << c));
    printf("%d %d\n", (a & b) == c, a & (b == 3));
    printf("%d %d\n", a | (b & c), (a | b) & c);
    printf("%d\n", a ^ (b | c) ^ a);
    printf("%d %d\n", -a % 4, -(a % 4));
    printf("%d %d\n", !a + 1, !(a + 1));
    printf("%d %d\n", ~a & 7, ~(a & 7));
    printf("%d\n", (a > b) > c);
    printf("%d\n", (a > b) == (b > c));
    printf("%d\n", a || (b && 0));
    a = b = c;
    printf("%d\n", a + b);
    int v[] = { 5, 6, 7 }, *p = v;
    printf("%d %d %d\n", *p + 1, *(p + 1), -*p);
    printf("%zu\n", sizeof a * 2);
    printf("%d\n", (int)2.9 * 2);
    return (1 << 2) + 3 * 5 - 8 / 2 % 3;
}
