/* String literals: escapes, concatenation, embedded zero, sizeof. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *a = "tab\there \"quoted\" back\\slash";
    puts(a);
    const char *b = "one " "two " "three";
    puts(b);
    char c[] = "zero\0inside";
    printf("%zu %zu %s\n", sizeof c, strlen(c), c + 5);
    const char *d = "\x41\102\u00e9";
    for (const char *p = d; *p; p++)
        printf("%02x ", (unsigned char)*p);
    putchar('\n');
    printf("%c%c\n", "indexed"[2], *("pointer" + 3));
    printf("%zu\n", sizeof "");
    char e[10] = "short";
    printf("%d %d\n", e[5], e[9]);
    puts("line one\nline two");
    printf("%s", "no newline\r\n");
    return (int)(sizeof c + strlen(a));
}
