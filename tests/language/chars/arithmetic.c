/* Character arithmetic: digits, letters, Caesar and ROT13. */
#include <stdio.h>

static char shift(char c, int k)
{
    if (c >= 'a' && c <= 'z')
        return (char)('a' + (c - 'a' + k) % 26);
    if (c >= 'A' && c <= 'Z')
        return (char)('A' + (c - 'A' + k) % 26);
    return c;
}

int main(void)
{
    char text[] = "Hello, Wide World!";
    for (char *p = text; *p; p++)
        *p = shift(*p, 13);
    puts(text);
    for (char *p = text; *p; p++)
        *p = shift(*p, 13);
    puts(text);
    for (char c = 'a'; c <= 'j'; c += 3)
        printf("%c%d ", c, c - 'a');
    putchar('\n');
    int value = 0;
    for (const char *d = "0427"; *d; d++)
        value = value * 10 + (*d - '0');
    printf("%d\n", value);
    char up = 'q' - 'a' + 'A';
    printf("%c %c\n", up, 'q' ^ 0x20);
    return up;
}
