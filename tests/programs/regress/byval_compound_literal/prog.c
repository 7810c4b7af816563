/* A compound literal takes the shared struct in, and is itself passed by value. */
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
struct big { int tag; struct pair in; long rest[2]; };
static struct pair g;

static void take(struct big s)
{
    assert(s.in.a == s.in.b);
}

static void *writer(void *arg)
{
    g.a = 1;
    g.b = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    take((struct big){.tag = 1, .in = g});
    pthread_join(t, 0);
    return 0;
}
