/* Who spins for a lock gets it, since whoever holds it is not left out for ever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int count;

static void *run(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_exchange(&locked, 1))
            ;
        count++;
        locked = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
