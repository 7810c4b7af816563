/* memset on shared memory: cleared in the end, but not at once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static long shared[2] = {1, 1};

static void *run(void *arg)
{
    (void)arg;
    memset(shared, 0, sizeof shared);
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef HALF
    long first, second;
#endif

    pthread_create(&t, NULL, run, NULL);
#ifdef HALF
    first = shared[0];
    second = shared[1];
    assert(!(first == 0 && second == 1));
#endif
    pthread_join(t, NULL);
    assert(shared[0] == 0 && shared[1] == 0);
    return 0;
}
