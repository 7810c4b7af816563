/* A large compare-exchange that fails writes what it found to `expected`, which is shared here. */
#include <assert.h>
#include <pthread.h>

struct large { long v[3]; };
static struct large s = {{1, 1, 1}}, expected;

static void *tries(void *arg)
{
    struct large mine = {{2, 2, 2}};

    __atomic_compare_exchange(&s, &expected, &mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    long once, again;

    pthread_create(&t, 0, tries, 0);
    once = expected.v[0];
    again = expected.v[0];
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
