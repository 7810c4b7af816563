/* A _Noreturn function in branches that need no return after it. */
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void fail(const char *what, int code)
{
    printf("fail: %s\n", what);
    exit(code);
}

static int weight(char c)
{
    switch (c) {
    case 'a': return 1;
    case 'b': return 2;
    case 'c': return c - 'a' + 10;
    default:
        fail("unknown letter", 90 + (c - 'a'));
    }
}

int main(void)
{
    int total = 0;
    for (const char *p = "abcabzab"; *p; p++) {
        total += weight(*p);
        printf("%c %d\n", *p, total);
    }
    return total;
}
