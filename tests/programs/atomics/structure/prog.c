/* An atomic structure is stored and loaded as a whole. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
    WORD a, b;
};

static QUALIFIER struct pair shared;

static void *run(void *arg)
{
    struct pair one = {1, 1};

    (void)arg;
    shared = one;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pair seen;

    pthread_create(&t, NULL, run, NULL);
    seen = shared;
    assert(seen.a == seen.b);
    pthread_join(t, NULL);
    return 0;
}
