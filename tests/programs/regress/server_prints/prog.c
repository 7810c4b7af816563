/* A server goes on for ever, and prints in every round. */
#include <pthread.h>
#include <stdio.h>

static void *serves(void *arg)
{
    for (;;)
        puts("tick");
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, serves, 0);
    pthread_join(t, 0);
    return 0;
}
