/* POSIX numbered arguments, reused and out of order. */
#include <stdio.h>

int main(void)
{
    printf("%2$s %1$s %2$s\n", "world", "hello");
    printf("%3$d %1$d %2$d\n", 10, 20, 30);
    printf("%1$d %1$x %1$o\n", 255);
    printf("[%2$*1$d]\n", 6, 42);
    char buf[32];
    int n = snprintf(buf, sizeof buf, "%2$c%1$s%2$c", "quoted", '"');
    printf("%s %d\n", buf, n);
    printf("%2$.2f %1$ld\n", 5000000000L, 2.5);
    return n * 5;
}
