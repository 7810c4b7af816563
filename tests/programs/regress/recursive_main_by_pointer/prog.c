/* main is called again through a pointer, by a function that it calls. */
#include <assert.h>
#include <pthread.h>

int main(int argc, char **argv);
static int (*again)(int, char **) = main;
static long x;

static void *writes(void *arg)
{
    x = (long)arg;
    assert(x == (long)arg);
    return 0;
}

static void repeat(char **argv)
{
    again(2, argv);
}

int main(int argc, char **argv)
{
    pthread_t t;

    pthread_create(&t, 0, writes, (void *)(long)argc);
    if (argc == 1)
        repeat(argv);
    pthread_join(t, 0);
    return 0;
}
