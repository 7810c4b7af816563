/* Failed exchanges are counted: each of them leaves something behind in its thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg)
{
    int seen = x, failed = 0;

    while (!atomic_compare_exchange_strong(&x, &seen, seen + 1))
        failed++;
    assert(failed < 2);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
