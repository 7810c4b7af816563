/* To set one lane of a shared vector is to read and write all of it: another thread's lane is
 * lost. */
#include <assert.h>
#include <pthread.h>

typedef int vector __attribute__((vector_size(16)));
static vector g;

static void *writer(void *arg)
{
    g = g + (vector){0, 0, 0, 1};
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    g = g + (vector){1, 0, 0, 0};
    pthread_join(t, 0);
    assert(g[0] == 1 && g[3] == 1);
    return 0;
}
