/* The `expected` of a small compare-exchange is shared: two threads use the same one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic short x;
static short expected;

static void *tries(void *arg)
{
    if (!atomic_compare_exchange_strong(&x, &expected, 1))
        assert(expected == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, tries, 0);
    tries(0);
    expected = 0;
    pthread_join(t, 0);
    return 0;
}
