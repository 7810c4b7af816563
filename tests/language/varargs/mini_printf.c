/* A small printf written with va_arg. */
#include <stdarg.h>
#include <stdio.h>

static int put_number(unsigned long v, unsigned base, int negative)
{
    char buf[24];
    int n = 0;
    do
        buf[n++] = "0123456789abcdef"[v % base];
    while (v /= base);
    if (negative)
        buf[n++] = '-';
    for (int i = n; i-- > 0;)
        putchar(buf[i]);
    return n;
}

static int mini(const char *f, ...)
{
    va_list ap;
    int n = 0;
    va_start(ap, f);
    for (; *f; f++) {
        if (*f != '%') {
            putchar(*f);
            n++;
            continue;
        }
        switch (*++f) {
        case 'd': {
            int v = va_arg(ap, int);
            n += put_number(v < 0 ? 0ul - (unsigned long)(long)v : (unsigned long)v, 10, v < 0);
            break;
        }
        case 'x': n += put_number(va_arg(ap, unsigned), 16, 0); break;
        case 'b': n += put_number(va_arg(ap, unsigned long), 2, 0); break;
        case 's': for (const char *s = va_arg(ap, const char *); *s; s++, n++) putchar(*s); break;
        case 'c': putchar(va_arg(ap, int)); n++; break;
        default: putchar(*f); n++;
        }
    }
    va_end(ap);
    return n;
}

int main(void)
{
    int n = mini("%d %d %x\n", 42, -2147483647 - 1, 0xfaceu);
    n += mini("%s=%b%%%c\n", "bits", 37ul, '!');
    return n;
}
