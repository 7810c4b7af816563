/* main waits for a thread that goes round an empty loop. */
#include <pthread.h>

static void *loops(void *arg)
{
    for (;;)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, loops, 0);
    pthread_join(t, 0);
    return 0;
}
