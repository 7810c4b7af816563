/* Functions registered with atexit run in reverse order. */
#include <stdio.h>
#include <stdlib.h>

static int step;

static void first(void) { printf("first %d\n", ++step); }
static void second(void) { printf("second %d\n", ++step); }
static void third(void) { printf("third %d\n", ++step); }

static void leave(int code)
{
    puts("leaving");
    exit(code);
}

int main(void)
{
    if (atexit(first) || atexit(second) || atexit(third) || atexit(second))
        return 1;
    puts("main");
    leave(33);
    return 2;
}
