/* Nobody but the looping thread uses what its loop tests and writes. */
#include <pthread.h>

static int done, left = 1, right;

static void *loops(void *arg)
{
    while (!done) {
        int old = left;

        left = right;
        right = old;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, loops, 0);
    pthread_join(t, 0);
    return 0;
}
