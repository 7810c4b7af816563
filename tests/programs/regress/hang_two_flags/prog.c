/* Two threads each wait for the other's flag before they set their own, unless an input spares
 * them. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static volatile int flags[2];

static void *worker(void *arg)
{
    while (!flags[0])
        ;
    flags[1] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    if (__VERIFIER_nondet_bool())
        flags[0] = 1;
    while (!flags[1])
        ;
    flags[0] = 1;
    pthread_join(t, 0);
    return 0;
}
