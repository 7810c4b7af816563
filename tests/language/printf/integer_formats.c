/* Widths, flags and precisions of integer conversions. */
#include <stdio.h>

int main(void)
{
    printf("[%d][%5d][%-5d][%05d][%+d][% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%d][%5d][%-5d][%05d][%+d][% d]\n", -42, -42, -42, -42, -42, -42);
    printf("[%u][%8u][%-8u][%08u]\n", 123u, 123u, 123u, 123u);
    printf("[%x][%X][%#x][%#X][%08x][%#010x]\n", 0xbeefu, 0xbeefu, 0xbeefu, 0xbeefu, 0xbeefu, 0xbeefu);
    printf("[%o][%#o][%5o]\n", 8u, 8u, 8u);
    printf("[%.3d][%8.3d][%-8.3d][%.0d]\n", 7, 7, 7, 0);
    printf("[%+.4d][%+5d][%i]\n", 12, 0, -3);
    printf("[%#x][%#o]\n", 0u, 0u);
    printf("[%5d|%-3d|%03d]\n", 1234567, 123456, 12345);
    int n = printf("%d%%\n", 100);
    printf("%d\n", n);
    return n * 7;
}
