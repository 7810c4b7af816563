/* Hand-written versions of the common string functions. */
#include <stdio.h>

static unsigned length(const char *s) { const char *p = s; while (*p) p++; return (unsigned)(p - s); }
static int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
static char *append(char *d, const char *s)
{
    char *r = d;
    while (*d) d++;
    while ((*d++ = *s++)) ;
    return r;
}
static const char *find(const char *h, const char *n)
{
    for (; *h; h++) {
        const char *a = h, *b = n;
        while (*b && *a == *b) { a++; b++; }
        if (!*b)
            return h;
    }
    return NULL;
}

int main(void)
{
    char buf[32] = "";
    append(append(append(buf, "alpha"), "-"), "betabet");
    printf("%s %u\n", buf, length(buf));
    printf("%d %d %d\n", compare("abc", "abd"), compare("abc", "ab"), compare("x", "x"));
    printf("%s\n", find(buf, "tab"));
    printf("%d\n", find(buf, "gamma") == NULL);
    return (int)(find(buf, "bet") - buf) + (int)length(buf);
}
