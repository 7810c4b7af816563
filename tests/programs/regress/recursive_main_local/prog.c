/* Each run of main has a local of its own; the thread of the first run gets a pointer to that
 * of the second one, through a global. */
#include <assert.h>
#include <pthread.h>

static int *current;

static void *writes(void *arg)
{
    *current = 1;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int local = 0;

    current = &local;
    if (argc == 1) {
        pthread_create(&t, 0, writes, 0);
        main(2, argv);
        current = &local;
        pthread_join(t, 0);
    } else {
        assert(local == 0);
    }
    return 0;
}
