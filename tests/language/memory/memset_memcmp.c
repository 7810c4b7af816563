/* memset to several values, memcmp ordering as unsigned bytes. */
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    unsigned words[4];
    memset(words, 0xab, sizeof words);
    printf("%x\n", words[3]);
    memset(&words[1], 0, 2 * sizeof *words);
    printf("%x %x %x\n", words[0], words[1], words[3]);
    int minus[3];
    memset(minus, -1, sizeof minus);
    printf("%d\n", minus[0] + minus[1] + minus[2]);
    char line[12];
    memset(line, '-', 11);
    line[11] = '\0';
    memset(line + 4, 0x100 | '+', 3);
    puts(line);
    printf("%d %d %d\n", sign(memcmp("abc", "abd", 3)), sign(memcmp("abc", "abd", 2)),
           sign(memcmp("\xff", "\x01", 1)));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0a", 3)), memcmp("x", "y", 0));
    double zero;
    memset(&zero, 0, sizeof zero);
    printf("%.1f\n", zero);
    return (int)(words[0] >> 26) + sign(memcmp("b", "a", 1));
}
