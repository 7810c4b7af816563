/* strcpy, strncpy, stpcpy, strcat and strncat with their padding rules. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static void show(const char *p, int n)
{
    for (int i = 0; i < n; i++)
        putchar(p[i] ? p[i] : '~');
    putchar('\n');
}

int main(void)
{
    char b[13];
    memset(b, '#', sizeof b);
    strcpy(b, "abc");
    show(b, 13);
    size_t limit = 8;
    strncpy(b, "wxyz", limit);
    show(b, 13);
    limit = 4;
    strncpy(b + 1, "123456", limit);
    show(b, 13);
    b[5] = '\0';
    strcat(b, "END");
    show(b, 13);
    limit = 2;
    strncat(b, "xyz", limit);
    show(b, 13);
    char *e = stpcpy(b, "tail");
    printf("%d %d\n", (int)(e - b), *e);
    char *r = strcat(strcpy(b, "one"), "two");
    printf("%s %d\n", r, r == b);
    return (int)strlen(b) * 10 + (int)(e - b);
}
