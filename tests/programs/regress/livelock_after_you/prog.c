/* Two threads that give way to each other may do so for ever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside;

static void *enter(void *arg)
{
    int me = arg != 0;

    wants[me] = 1;
    while (wants[!me]) {
        wants[me] = 0;
        wants[me] = 1;
    }
    inside++;
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
