/* String and character conversions with widths and precisions. */
#include <stdio.h>

int main(void)
{
    const char *s = "formatted";
    char raw[4] = { 'r', 'a', 'w', '!' };
    printf("[%s][%12s][%-12s]\n", s, s, s);
    printf("[%.3s][%10.3s][%-10.3s][%.0s]\n", s, s, s, s);
    printf("[%.20s][%.4s]\n", s, raw);
    printf("[%c][%5c][%-5c]\n", 'x', 'y', 'z');
    printf("[%*d][%-*d][%*s]\n", 6, 42, 6, 42, 4, "ab");
    printf("[%.*s][%*.*s]\n", 2, s, 8, 3, s);
    printf("[%*d]\n", -6, 42);
    printf("[%.*f]\n", 2, 3.14159);
    printf("%s%s%s\n", "", "empty", "");
    printf("100%% %c%c\n", 65, 'A' + 1);
    int n = printf("%5s|%-5s|\n", "toolong", "ok");
    printf("%d\n", n);
    return n + 80;
}
