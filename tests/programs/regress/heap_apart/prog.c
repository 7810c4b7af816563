/* Objects on the heap do not overlap and are aligned, wherever they lie. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t mine, other;

static void *allocates(void *arg)
{
    other = (uintptr_t)malloc(8);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, allocates, 0);
    mine = (uintptr_t)malloc(8);
    pthread_join(t, 0);
    assert(mine < other ? other - mine >= 8 : mine - other >= 8);
    assert(mine % 8 == 0 && other % 8 == 0);
    free((void *)mine);
    free((void *)other);
    return 0;
}
