/* The input says how often the loops run: two threads count n times each.
   -DBROKEN counts in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned rounds;
static atomic_uint count;

static void *counter(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < rounds; i++)
#ifdef BROKEN
        count = count + 1;
#else
        count++;
#endif
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    rounds = __VERIFIER_nondet_uint();
    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2 * rounds);
    return 0;
}
