/* Every step of the round is inside of the block: beginning and ending the local is no effect. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static int look(int *seen)
{
    *seen = atomic_load(&flag);
    return *seen;
}

static void *wait_for_it(void *arg)
{
    for (;;) {
        int seen;
        if (look(&seen) && look(&seen))
            return arg;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait_for_it, 0);
    pthread_join(t, 0);
    return 0;
}
