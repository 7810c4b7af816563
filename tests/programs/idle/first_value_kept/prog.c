/* A failed exchange refreshes `seen`; but what was seen first is kept, so it was no idle round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg)
{
    int seen = x, first = seen;

    while (!atomic_compare_exchange_strong(&x, &seen, seen + 1))
        ;
    assert(seen == first || seen != 2);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
    return 0;
}
