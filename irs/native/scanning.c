/*
 * Values that are read from text into memory which others use: the text is read in one event, by
 * the library's function, into memory of our own, and each value is stored in another. The format
 * is given to the library in parts with one value each, so that we know what there is to store;
 * %n around a value tells where it is.
 */
#include "runtime.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, LARGEST = 16 }; /* values; bytes of a number */
enum { AS_READ = 0, UNKNOWN = -1 }; /* sizes */

typedef int scan_function(const char *, const char *, ...);

struct value {
    char *data;
    uint64_t size;
};

struct scan {
    uint32_t site;
    scan_function *performed;
    const char *text;
    uint64_t at; /* how much of the text has been read */
    struct value values[MOST];
    unsigned count;
    int result;
};

struct directive {
    const char *end;
    bool skipped;
    char conversion;
    int size; /* of what is stored */
};

static _Noreturn void give_up(const struct scan *scan, const char *why)
{
    irs_refuse("%s %s", irs_site_text(scan->site), why);
}

static void *memory(const struct scan *scan, uint64_t size)
{
    void *made = malloc(size);

    if (made == NULL)
        give_up(scan, "needs more memory than is left");
    return made;
}

static bool is(const char *length, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(length, name, size) == 0;
}

/* What is stored must be as the verifier took it, or is not known here. */
static int size_of(char conversion, const char *length, size_t size)
{
    switch (conversion) {
    case 's': case 'c': case '[':
        return size == 0 ? AS_READ : UNKNOWN;
    case 'p':
        return size == 0 ? sizeof(void *) : UNKNOWN;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        return size == 0               ? (int)sizeof(float)
               : is(length, size, "l") ? (int)sizeof(double)
               : is(length, size, "L") ? 10 /* without what pads a long double */
                                       : UNKNOWN;
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'n':
        return size == 0                                             ? (int)sizeof(int)
               : is(length, size, "hh")                              ? (int)sizeof(char)
               : is(length, size, "h")                               ? (int)sizeof(short)
               : is(length, size, "ll") || (size == 1 && strchr("lztj", *length)) ? 8
                                                                     : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

/* `at` is behind the sign that begins a directive. */
static struct directive read_directive(const char *at)
{
    struct directive found = {.skipped = *at == '*'};
    const char *length;

    at += found.skipped;
    while (isdigit((unsigned char)*at))
        at++;
    length = at;
    while (*at && strchr("hlqztjL", *at))
        at++;
    found.conversion = *at;
    found.size = size_of(*at, length, (size_t)(at - length));
    if (*at == '[') {
        at += 1 + (at[1] == '^');
        at = *at ? strchr(at + 1, ']') : NULL; /* one that comes first is a member */
        if (at == NULL)
            found.size = UNKNOWN;
    }
    if (found.conversion == '%')
        found.size = AS_READ, found.skipped = true;
    else if (found.conversion == 'n' && found.skipped)
        found.size = UNKNOWN;
    found.end = at ? at + 1 : NULL;
    return found;
}

/* Reads a value by a part of the format that ends with its directive. */
static bool read_value(struct scan *scan, const char *part, const char *begin,
                       const struct directive *directive)
{
    const char *text = scan->text + scan->at;
    int before = -1, after = -1, result;
    struct value *value = &scan->values[scan->count];
    char *own = memory(scan, (uint64_t)(directive->end - part) + sizeof "%n%n");
    long position;

    value->data = memory(scan, strlen(text) + LARGEST + 1);
    if (directive->conversion == 'n') {
        sprintf(own, "%.*s%%n", (int)(begin - part), part);
        result = scan->performed(text, own, &after);
    } else {
        sprintf(own, "%.*s%%n%.*s%%n", (int)(begin - part), part, (int)(directive->end - begin),
                begin);
        result = scan->performed(text, own, &before, value->data, &after);
    }
    free(own);
    if (after < 0) {
        if (result < 0 && scan->result == 0)
            scan->result = EOF;
        free(value->data);
        return false;
    }
    if (directive->conversion == 'n') {
        position = (long)scan->at + after;
        memcpy(value->data, &position, sizeof position);
    } else {
        scan->result++;
    }
    value->size = directive->size          ? (uint64_t)directive->size
                  : directive->conversion == 'c' ? (uint64_t)(after - before)
                                           : strlen(value->data) + 1;
    scan->at += (uint64_t)after;
    scan->count++;
    return true;
}

static void read_all(struct scan *scan, const char *format)
{
    const char *part = format;

    for (const char *at = format; *at;) {
        struct directive directive;

        if (*at != '%') {
            at++;
            continue;
        }
        directive = read_directive(at + 1);
        if (directive.size == UNKNOWN)
            give_up(scan, "has a format that is not known natively");
        if (!directive.skipped) {
            if (scan->count == MOST)
                give_up(scan, "reads too many values");
            if (!read_value(scan, part, at, &directive))
                return;
            part = directive.end;
        }
        at = directive.end;
    }
    if (*part && scan->result == 0 && scan->performed(scan->text + scan->at, part) < 0)
        scan->result = EOF;
}

int irs_sscanf(const char *text, const char *format, ...)
{
    struct scan scan = {.site = irs_self->site, .performed = irs_self->performed, .text = text};
    va_list targets;

    irs_pass(irs_self, scan.site);
    read_all(&scan, format);
    irs_done(irs_self);
    va_start(targets, format);
    for (unsigned n = 0; n < scan.count; n++) {
        void *target = va_arg(targets, void *);

        irs_pass(irs_self, scan.site);
        memcpy(target, scan.values[n].data, scan.values[n].size);
        irs_done(irs_self);
        free(scan.values[n].data);
    }
    va_end(targets);
    return scan.result;
}
