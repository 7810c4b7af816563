/* A reader spins for a flag that is only set if it is the first to look. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int looked, flag;

static void *set(void *arg)
{
    if (looked)
        flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, set, 0);
    looked = 1;
    while (!flag)
        ;
    pthread_join(t, 0);
    return 0;
}
