/* Variables with a clean-up function run it when their scope ends. */
#include <stdio.h>
#include <stdlib.h>

static int cleaned;
static void release(char **p)
{
    printf("release %s\n", *p);
    free(*p);
    cleaned++;
}
static void leave(const int *n) { printf("leave %d\n", *n); }

static int work(int n)
{
    __attribute__((cleanup(leave))) int level = n;
    if (n == 0)
        return level;
    char *s __attribute__((cleanup(release))) = malloc(3);
    if (!s)
        return -1;
    s[0] = 's';
    s[1] = (char)('0' + n);
    s[2] = '\0';
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(leave))) int k = 10 * n + i;
        if (i == 1)
            break;
        k += 100;
    }
    level += work(n - 1);
    return level;
}

int main(void)
{
    int r = work(2);
    printf("%d %d\n", r, cleaned);
    return r * 10 + cleaned;
}
