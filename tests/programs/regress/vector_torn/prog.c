/* A vector of 32 bytes is no atomic object. */
#include <assert.h>
#include <pthread.h>

typedef int vector __attribute__((vector_size(32)));
static vector g;

static void *writer(void *arg)
{
    g = (vector){1, 1, 1, 1, 1, 1, 1, 1};
    return arg;
}

int main(void)
{
    pthread_t t;
    vector seen;

    pthread_create(&t, 0, writer, 0);
    seen = g;
    pthread_join(t, 0);
    assert(seen[0] == seen[7]);
    return 0;
}
