/* The same under a lock, which covers the copy but need not cover va_arg. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct big { long a, b, c; };
static struct big g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void compare(int count, ...)
{
    va_list list;
    struct big s;

    pthread_mutex_unlock(&m);
    va_start(list, count);
    s = va_arg(list, struct big);
    va_end(list);
    assert(s.a == s.c);
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    g.a = 1;
    g.c = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m);
    compare(1, g);
    pthread_join(t, 0);
    return 0;
}
