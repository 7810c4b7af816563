/* The source of a large atomic store is read like any other memory: here, half written. */
#include <assert.h>
#include <pthread.h>

struct large { long v[4]; };
static struct large s, source;

static void *storer(void *arg)
{
    __atomic_store(&s, &source, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, storer, 0);
    source.v[0] = 1;
    source.v[3] = 1;
    pthread_join(t, 0);
    assert(s.v[0] == s.v[3]);
    return 0;
}
