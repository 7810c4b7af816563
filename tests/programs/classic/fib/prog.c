/* Two threads add each other's variable to their own: the largest result is a Fibonacci number,
   which only the strict alternation of whole additions reaches. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static int i = 1, j = 1;

static void *add_to_i(void *arg)
{
    (void)arg;
    for (int k = 0; k < N; k++)
        i += j;
    return NULL;
}

static void *add_to_j(void *arg)
{
    (void)arg;
    for (int k = 0; k < N; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, add_to_i, NULL);
    pthread_create(&t2, NULL, add_to_j, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i <= BOUND && j <= BOUND);
    return 0;
}
