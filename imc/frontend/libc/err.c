/* <err.h>: a message, and the end of the program. */
#include <stdarg.h>

extern void vwarn(const char *format, va_list list);
extern void vwarnx(const char *format, va_list list);
extern _Noreturn void exit(int status);

_Noreturn void verr(int status, const char *format, va_list list)
{
    vwarn(format, list);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list list)
{
    vwarnx(format, list);
    exit(status);
}

_Noreturn void err(int status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    verr(status, format, list);
}

_Noreturn void errx(int status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    verrx(status, format, list);
}
