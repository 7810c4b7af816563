/* Reaching the end of main returns zero. */
#include <stdio.h>

static int value;

static void set(int v)
{
    if (v > 3)
        return;
    value = v;
    set(v + 1);
}

int main(void)
{
    set(1);
    printf("%d\n", value);
    value += 40;
    printf("%d\n", value);
}
