/* Whether a large compare-exchange succeeds depends on `expected`, which another thread writes. */
#include <assert.h>
#include <pthread.h>

struct large { long v[3]; };
static struct large s = {{1, 1, 1}}, expected = {{1, 1, 1}};

static void *tries(void *arg)
{
    struct large mine = {{2, 2, 2}};

    __atomic_compare_exchange(&s, &expected, &mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, tries, 0);
    expected.v[1] = 7;
    pthread_join(t, 0);
    assert(s.v[0] == 2);
    return 0;
}
