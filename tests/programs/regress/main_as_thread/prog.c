/* main itself is what a thread runs: its counter is shared between two runs of main. */
#include <assert.h>
#include <pthread.h>

int main(int argc, char **argv);
static int x, started;

static void *run(void *arg)
{
    main(0, 0);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    if (!started) {
        started = 1;
        pthread_create(&t, 0, run, 0);
    }
    x++;
    if (argc > 0) {
        pthread_join(t, 0);
        assert(x == 2);
    }
    return 0;
}
