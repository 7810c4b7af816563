/* main returns from inside nested statements. */
#include <stdio.h>

static int find(const char *s, char c)
{
    for (int i = 0; s[i]; i++)
        if (s[i] == c)
            return i;
    return -1;
}

int main(void)
{
    const char *s = "searching";
    switch (find(s, 'r')) {
    case 3:
        for (int i = 0; i < 10; i++) {
            do {
                printf("%d %c\n", i, s[i]);
                if (i == find(s, 'c')) {
                    puts("leaving");
                    return 60 + i;
                }
            } while (0);
        }
        return 1;
    default:
        return 2;
    }
}
