/* main calls itself after the first thread has ended: the two never meet. */
#include <assert.h>
#include <pthread.h>

static long x;

static void *writes(void *arg)
{
    x = (long)arg;
    assert(x == (long)arg);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t t;

    pthread_create(&t, 0, writes, (void *)(long)argc);
    pthread_join(t, 0);
    if (argc == 1)
        main(2, argv);
    return 0;
}
