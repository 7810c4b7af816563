/* memset fills a shared struct piece by piece. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct { int a, b, c; } g;

static void *fills(void *arg)
{
    memset(&g, 0xff, sizeof g);
    return arg;
}

int main(void)
{
    pthread_t t;
    int before, first, after;

    pthread_create(&t, 0, fills, 0);
    before = g.c;
    first = g.a;
    after = g.c;
    pthread_join(t, 0);
    assert(first == 0 ? before == 0 : after == -1);
    return 0;
}
