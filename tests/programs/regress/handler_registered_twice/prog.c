/* An exit handler starts a thread, and it is registered twice: two of its threads meet. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *adds(void *arg)
{
    int before = x;

    x = before + 1;
    assert(x == before + 1);
    return arg;
}

static void handler(void)
{
    pthread_t t;

    pthread_create(&t, 0, adds, 0);
}

int main(void)
{
    atexit(handler);
    atexit(handler);
    return 0;
}
