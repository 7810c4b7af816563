/* An atomic struct of 16 bytes is never seen half written. */
#include <assert.h>
#include <pthread.h>

struct pair { long a, b; };
static _Atomic struct pair s;

static void *writer(void *arg)
{
    struct pair mine = {1, 1};

    s = mine;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct pair seen;

    pthread_create(&t, 0, writer, 0);
    seen = s;
    pthread_join(t, 0);
    assert(seen.a == seen.b);
    return 0;
}
