/* A server goes on for ever, and has an effect in every round. */
#include <pthread.h>

static volatile int counter;

static void *serves(void *arg)
{
    for (;;)
        counter = (counter + 1) % 3;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, serves, 0);
    pthread_join(t, 0);
    return 0;
}
