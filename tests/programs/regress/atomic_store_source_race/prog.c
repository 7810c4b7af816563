/* The source of a large atomic store races with a plain write, although the store is atomic. */
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
    source.v[1] = 1;
    pthread_join(t, 0);
    return 0;
}
