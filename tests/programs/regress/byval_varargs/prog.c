/* A struct is one of the variable arguments, copied by the call and again by va_arg. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct big { long a, b, c; };
static struct big g;

static long difference(int count, ...)
{
    va_list list;
    struct big s;

    va_start(list, count);
    s = va_arg(list, struct big);
    va_end(list);
    return s.c - s.a;
}

static void *writer(void *arg)
{
    g.a = 1;
    g.c = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    assert(difference(1, g) == 0);
    pthread_join(t, 0);
    return 0;
}
