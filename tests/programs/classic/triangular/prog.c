/* Two threads push each other up, N times each: i above j, j above i. Only strict alternation
   gets as far as START + 2N. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#define START 6

static atomic_int i = START - 3, j = START;

static void *push_i(void *arg)
{
    (void)arg;
    for (int k = 0; k < N; k++)
        i = j + 1;
    return NULL;
}

static void *push_j(void *arg)
{
    (void)arg;
    for (int k = 0; k < N; k++)
        j = i + 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, push_i, NULL);
    pthread_create(&t2, NULL, push_j, NULL);
    int seen = i;
    assert(seen < LIMIT);
    seen = j;
    assert(seen < LIMIT);
    return 0;
}
