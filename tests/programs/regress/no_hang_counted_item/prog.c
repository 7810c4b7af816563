/* The producers count atomically: the consumer sees both. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int items;

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
