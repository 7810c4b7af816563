/* main calls itself, so the thread that it starts is there twice; nobody else looks at x. */
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
    if (argc == 1)
        main(2, argv);
    pthread_join(t, 0);
    return 0;
}
