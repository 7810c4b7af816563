/* Passing va_list on to vprintf, vsnprintf and vsprintf. */
#include <stdarg.h>
#include <stdio.h>

static int lines;

__attribute__((format(printf, 2, 3)))
static int say(const char *prefix, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    printf("%s: ", prefix);
    int n = vprintf(format, ap);
    va_end(ap);
    lines++;
    return n;
}

__attribute__((format(printf, 3, 4)))
static int into(char *buffer, size_t size, const char *format, ...)
{
    va_list ap, copy;
    va_start(ap, format);
    va_copy(copy, ap);
    int need = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    int got = vsnprintf(buffer, size, format, ap);
    va_end(ap);
    return need == got ? got : -1;
}

int main(void)
{
    int n = say("info", "%d apples and %s\n", 3, "pears");
    n += say("many", "%d %d %d %d %d %d %.1f %c\n", 1, 2, 3, 4, 5, 6, 7.5, 'x');
    n += say("bare", "nothing\n");
    char small[8], big[64];
    int a = into(small, sizeof small, "%s-%04x", "truncate", 0xbeefu);
    int b = into(big, sizeof big, "%s-%04x", "truncate", 0xbeefu);
    printf("%s %d\n%s %d\n", small, a, big, b);
    return n + lines + a;
}
