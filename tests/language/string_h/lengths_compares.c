/* strlen, strnlen, strcmp, strncmp and their ordering. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    static const char *const ws[] = { "", "a", "ab", "abc", "b", "B", "\x80" };
    printf("%zu %zu %zu\n", strlen(""), strlen("four"), strnlen("truncated", 5));
    int below = 0;
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            int s = sign(strcmp(ws[i], ws[j]));
            putchar("<=>"[s + 1]);
            below += s < 0;
        }
        putchar('\n');
    }
    printf("%d %d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)),
           strncmp("x", "y", 0));
    printf("%d\n", strncmp("same", "same", 100));
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("abX", "aby", 3)));
    return below;
}
