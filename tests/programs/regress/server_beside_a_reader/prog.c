/* One thread waits for a flag that is never set, but a server goes on having effects: a thread that
 * starves beside others is not what the property is about. */
#include <pthread.h>

static volatile int flag, counter;

static void *serves(void *arg)
{
    for (;;)
        counter = !counter;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, serves, 0);
    while (!flag)
        ;
    return 0;
}
