/* Two producers count without a lock and lose an item; the consumer spins for it for ever. */
#include <pthread.h>

static volatile int items;

static void *produces(void *arg)
{
    items++;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, produces, 0);
    items++;
    while (items < 2)
        ;
    pthread_join(t, 0);
    return 0;
}
