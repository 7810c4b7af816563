/* A struct of two longs travels in two registers: it is read in two steps. */
#include <assert.h>
#include <pthread.h>

struct pair { long a, b; };
static struct pair g;

static void take(struct pair s)
{
    assert(!(s.a == 0 && s.b == 1));
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
    take(g);
    pthread_join(t, 0);
    return 0;
}
