/* An atomic struct of 32 bytes is stored and loaded as a whole, by assignment. */
#include <assert.h>
#include <pthread.h>

struct large { long v[4]; };
static _Atomic struct large s;

static void *writer(void *arg)
{
    struct large mine = {{1, 1, 1, 1}};

    s = mine;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct large seen;

    pthread_create(&t, 0, writer, 0);
    seen = s;
    pthread_join(t, 0);
    assert(seen.v[0] == seen.v[3]);
    return 0;
}
