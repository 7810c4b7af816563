/* An __int128 is stored in two steps on every machine that we know. */
#include <assert.h>
#include <pthread.h>

static __int128 g;

static void *writer(void *arg)
{
    g = -1;
    return arg;
}

int main(void)
{
    pthread_t t;
    __int128 seen;

    pthread_create(&t, 0, writer, 0);
    seen = g;
    pthread_join(t, 0);
    assert(seen == 0 || seen == -1);
    return 0;
}
