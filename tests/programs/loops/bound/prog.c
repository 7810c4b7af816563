/* A bound on loops that is too small leaves the answer open; one that is large enough does not. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        x++;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    assert(x < LIMIT);
    pthread_join(t, NULL);
    return 0;
}
