/* Text without a newline is flushed at exit. */
#include <stdio.h>
#include <stdlib.h>

static void finish(const char *why, int code)
{
    printf("[%s]", why);
    fputs(" no newline follows", stdout);
    exit(code);
}

int main(void)
{
    printf("start ");
    for (int i = 0; i < 3; i++) {
        printf("%d ", i);
        putchar('.');
    }
    finish("done", 9);
    return 0;
}
