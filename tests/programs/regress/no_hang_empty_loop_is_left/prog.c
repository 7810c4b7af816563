/* Nobody waits for the thread that goes round an empty loop: it ends with the program. */
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
    pthread_detach(t);
    return 0;
}
