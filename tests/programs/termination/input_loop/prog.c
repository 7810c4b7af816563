/* Inputs can keep the thread from ever coming to its next event. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int shared;

static void *asks(void *arg)
{
    while (__VERIFIER_nondet_bool())
        ;
    shared = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, asks, 0);
    shared = 2;
    pthread_join(t, 0);
    return 0;
}
