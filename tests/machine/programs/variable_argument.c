// The same among variable arguments.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct big { long a, b, c; };
static struct big s;
static long x;
static long sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    struct big v = va_arg(list, struct big);
    va_end(list);
    return v.a + 10 * v.b + 100 * v.c;
}

static void *first(void *arg)
{
    s.a = 1;
    s.b = 1;
    s.c = 1;
    return 0;
}

static void *second(void *arg)
{
    x = sum(1, s);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld\n", (long)x);
    return 0;
}
