/* A copy is not atomic: another thread may see a part of it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static WORD shared[2];

static void *run(void *arg)
{
    static const WORD ones[2] = {1, 1};

    (void)arg;
    memcpy(shared, ones, sizeof shared);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    if (shared[0] == 1)
        assert(shared[1] == 1);
    pthread_join(t, NULL);
    assert(shared[0] == 1 && shared[1] == 1);
    return 0;
}
