/* Between two looks at x the thread looks at y: had it begun again, it would have seen another y. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *copy(void *arg)
{
    int seen = x, other = y;

    while (!atomic_compare_exchange_strong(&x, &seen, 10 + other))
        ;
    assert(seen != 2 || other != 0);
    return arg;
}

static void *change(void *arg)
{
    x = 1;
    y = 1;
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, copy, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
