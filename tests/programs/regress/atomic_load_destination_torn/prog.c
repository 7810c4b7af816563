/* The destination of a large atomic load is written piece by piece. */
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
    long last, first, last_again;

    pthread_create(&t, 0, loader, 0);
    last = out.v[3];
    first = out.v[0];
    last_again = out.v[3];
    pthread_join(t, 0);
    assert(first == 1 ? last_again == 1 : last == 0);
    return 0;
}
