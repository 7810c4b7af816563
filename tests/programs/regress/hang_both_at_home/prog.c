/* Two threads spin although nothing waits: each in a loop of two reads. */
#include <pthread.h>

static volatile int a, b;

static void *loops(void *arg)
{
    while (!a || !b)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, loops, 0);
    a = 1;
    while (!b)
        ;
    pthread_join(t, 0);
    return 0;
}
