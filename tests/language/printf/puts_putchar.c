/* The other output functions on stdout, mixed in order. */
#include <stdio.h>

int main(void)
{
    puts("puts adds a newline");
    int r = putchar('p');
    putchar('\n');
    printf("%d\n", r);
    fputs("fputs does not", stdout);
    fputc('\n', stdout);
    putc('*', stdout);
    fprintf(stdout, " fprintf %d\n", 5);
    size_t n = fwrite("fwrite\nmore", 1, 7, stdout);
    printf("%zu\n", n);
    fputs("", stdout);
    fflush(stdout);
    for (int c = 'a'; c < 'k'; c++)
        putchar(c ^ (c & 1 ? 0x20 : 0));
    puts("");
    int written = printf("%s", "");
    printf("%d\n", written);
    putchar(0x100 + '!');
    putchar('\n');
    return r % 100 + (int)n;
}
