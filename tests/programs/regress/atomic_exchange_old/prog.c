/* A large atomic exchange stores the old value in shared memory. */
#include <assert.h>
#include <pthread.h>

struct large { long v[3]; };
static struct large s = {{1, 1, 1}}, old;

static void *swapper(void *arg)
{
    struct large mine = {{2, 2, 2}};

    __atomic_exchange(&s, &mine, &old, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    long once, again;

    pthread_create(&t, 0, swapper, 0);
    once = old.v[2];
    again = old.v[2];
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
