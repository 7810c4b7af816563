/* A thread that computes for ever without an event. */
#include <pthread.h>

static void *works(void *arg)
{
    unsigned char n = 1;

    while (n)
        n *= 3;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, works, 0);
    pthread_join(t, 0);
    return 0;
}
