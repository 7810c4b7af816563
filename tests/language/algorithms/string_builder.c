/* A growing string on the heap with printf-style appending. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sb { char *text; size_t len, cap; };

__attribute__((format(printf, 2, 3)))
static void append(struct sb *s, const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    int n = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    if (s->len + (size_t)n + 1 > s->cap) {
        s->cap = (s->len + (size_t)n + 1) * 2;
        s->text = realloc(s->text, s->cap);
        if (!s->text)
            exit(1);
    }
    va_start(ap, f);
    vsnprintf(s->text + s->len, s->cap - s->len, f, ap);
    va_end(ap);
    s->len += (size_t)n;
}

int main(void)
{
    struct sb s = { NULL, 0, 0 };
    append(&s, "{");
    for (int i = 0; i < 6; i++)
        append(&s, "%s\"k%d\": %.1f", i ? ", " : "", i, i * 1.5);
    append(&s, "}%c", '\n');
    fputs(s.text, stdout);
    printf("%zu %zu %d\n", s.len, s.cap, strlen(s.text) == s.len);
    int status = (int)s.len;
    free(s.text);
    return status;
}
