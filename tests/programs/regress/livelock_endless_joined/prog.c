/* A thread that computes nothing for ever, and one that waits for its end. */
#include <pthread.h>

static void *nothing(void *arg)
{
    (void)arg;
    for (;;)
        ;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
    return 0;
}
