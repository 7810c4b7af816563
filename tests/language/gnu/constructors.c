/* Constructor functions run before main, in order of priority. */
#include <stdio.h>

static int order[4], n;

__attribute__((constructor(201))) static void second(void) { order[n++] = 2; }
__attribute__((constructor(101))) static void first(void) { order[n++] = 1; }
__attribute__((constructor)) static void third(void)
{
    order[n++] = 3;
    puts("before main");
}

int main(void)
{
    puts("main");
    for (int i = 0; i < n; i++)
        printf("%d ", order[i]);
    putchar('\n');
    int code = 0;
    for (int i = 0; i < n; i++)
        code = code * 4 + order[i];
    return code;
}
