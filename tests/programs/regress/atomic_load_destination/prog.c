/* A large atomic load is atomic where it reads; what it writes to is memory like any other. */
#include <assert.h>
#include <pthread.h>

struct large { long v[4]; };
static struct large s = {{1, 1, 1, 1}}, out;

static void *loader(void *arg)
{
    __atomic_load(&s, &out, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    long once, again;

    pthread_create(&t, 0, loader, 0);
    once = out.v[0];
    again = out.v[0];
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
