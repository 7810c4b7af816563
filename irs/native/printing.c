/*
 * Text that is printed into memory which others use: made in one event, on memory of our own, and
 * written byte by byte. Some libraries end the text before they begin it, so the first byte is
 * written twice, as it was verified.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdarg.h>
#include <stdlib.h>

static void put(uint32_t site, char *to, char byte)
{
    irs_pass(irs_self, site);
    *to = byte;
    irs_done(irs_self);
}

static int print(char *to, uint64_t room, const char *format, va_list arguments)
{
    uint32_t site = irs_self->site;
    uint64_t last;
    char *text;
    int length;

    irs_pass(irs_self, site);
    length = vasprintf(&text, format, arguments);
    irs_done(irs_self);
    if (length < 0)
        irs_refuse("the text of %s could not be made", irs_site_text(site));
    if (room == 0) { /* it is an event to write nothing */
        irs_pass(irs_self, site);
        irs_done(irs_self);
    } else {
        last = (uint64_t)length < room ? (uint64_t)length : room - 1;
        if (last > 0)
            put(site, to, '\0');
        for (uint64_t n = 0; n < last; n++)
            put(site, to + n, text[n]);
        put(site, to + last, '\0');
    }
    free(text);
    return length;
}

int irs_vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
    return print(to, room, format, arguments);
}

int irs_vsprintf(char *to, const char *format, va_list arguments)
{
    return print(to, UINT64_MAX, format, arguments);
}

int irs_snprintf(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = print(to, room, format, arguments);
    va_end(arguments);
    return length;
}

int irs_sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = print(to, UINT64_MAX, format, arguments);
    va_end(arguments);
    return length;
}
