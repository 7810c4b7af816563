/* A reader spins on a flag that nobody sets. */
#include <pthread.h>

static volatile int flag, other;

static void *reads(void *arg)
{
    while (!flag)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reads, 0);
    other = 1;
    pthread_join(t, 0);
    return 0;
}
