/* <string.h> and <strings.h>, byte by byte. */
#include <stddef.h>

extern void *malloc(size_t size);

/* These three are the model's own, and so is strdup. */
extern void *memcpy(void *restrict to, const void *restrict from, size_t n);
extern void *memmove(void *to, const void *from, size_t n);
extern void *memset(void *to, int byte, size_t n);

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    memcpy(to, from, n);
    return (char *)to + n;
}

void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

void bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;

    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}

int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;

    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;

    while (n > 0)
        if (p[--n] == (unsigned char)c)
            return (void *)(p + n);
    return NULL;
}

size_t strlen(const char *s)
{
    size_t n = 0;

    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t limit)
{
    size_t n = 0;

    while (n < limit && s[n])
        n++;
    return n;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    stpcpy(to, from);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;

    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    char *end = to + strlen(to);
    size_t i = 0;

    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

char *strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

/* The C locale orders strings by their bytes. */
int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int strcasecmp(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lower(a[i]) != lower(b[i]) || !a[i])
            return lower(a[i]) - lower(b[i]);
    return 0;
}

char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c)
{
    char *place = strchrnul(s, c);

    return *place == (char)c ? place : NULL;
}

char *strrchr(const char *s, int c)
{
    return memrchr(s, c, strlen(s) + 1);
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

char *strstr(const char *text, const char *part)
{
    for (;; text++) {
        size_t i = 0;

        while (part[i] && part[i] == text[i])
            i++;
        if (!part[i])
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;

    while (s[n] && strchr(accept, s[n]))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *reject)
{
    size_t n = 0;

    while (s[n] && !strchr(reject, s[n]))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accept)
{
    s += strcspn(s, accept);
    return *s ? (char *)s : NULL;
}

char *strsep(char **restrict rest, const char *restrict delimiters)
{
    char *token = *rest;

    if (!token)
        return NULL;
    char *end = token + strcspn(token, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return token;
}

char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest)
{
    if (!s)
        s = *rest;
    s += strspn(s, delimiters);
    char *end = s + strcspn(s, delimiters);
    if (*end)
        *rest = end + 1;
    else
        *rest = end;
    if (end == s)
        return NULL;
    *end = 0;
    return s;
}

char *strtok(char *restrict s, const char *restrict delimiters)
{
    static char *rest;

    return strtok_r(s, delimiters, &rest);
}

int ffsll(long long value)
{
    for (int bit = 0; bit < 64; bit++)
        if ((unsigned long long)value >> bit & 1)
            return bit + 1;
    return 0;
}

int ffs(int value) { return ffsll((unsigned)value); }

int ffsl(long value) { return ffsll((long long)(unsigned long)value); }
