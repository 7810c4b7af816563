/* What POSIX and glibc add: arguments by position, grouping (none in this locale), %m, %p read back. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void list(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void)
{
    int x = 5, length;
    void *read;
    char text[64];

    printf("%2$d %1$s %2$x|%%\n", "a", 17);
    printf("%3$*1$.*2$f|%1$d\n", 8, 2, 3.14159);
    printf("%1$s%2$n %1$s\n", "abc", &length);
    printf("%d %'d %'5d|\n", length, 1234567, 12);
    list("%4$s %1$d %3$.2f %2$ld\n", 1, 2L, 3.5, "four");
    errno = EINVAL;
    printf("%m %8d\n", 3);
    errno = 0;
    printf("%m|%24m|%.3m\n");
    sprintf(text, "%p", (void *)&x);
    printf("%d\n", sscanf(text, "%p", &read));
    printf("%d %d\n", read == &x, *(int *)read);
    sprintf(text, "%p", NULL);
    printf("%d %d\n", sscanf(text, "%p", &read), read == NULL);
    return 0;
}
