/* A thread starts another one of its kind, once. */
#include <assert.h>
#include <pthread.h>

static long x;

static void *writes(void *arg)
{
    pthread_t t;

    if (arg)
        pthread_create(&t, 0, writes, 0);
    x = arg != 0;
    assert(x == (arg != 0));
    if (arg)
        pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writes, &t);
    pthread_join(t, 0);
    return 0;
}
