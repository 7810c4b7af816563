/* _Exit skips the handlers but not what was already flushed. */
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("not called"); }

static int choose(int v)
{
    if (v % 2) {
        fflush(stdout);
        _Exit(70 + v);
    }
    return v / 2;
}

int main(void)
{
    if (atexit(handler))
        return 1;
    for (int v = 8;;) {
        printf("%d\n", v);
        v = choose(v);
    }
}
