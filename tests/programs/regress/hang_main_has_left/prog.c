/* main ends by pthread_exit, and so the program goes on as long as the thread that spins. */
#include <pthread.h>

static volatile int stop;

static void *loops(void *arg)
{
    while (!stop)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, loops, 0);
    pthread_exit(0);
}
