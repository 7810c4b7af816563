/* Who reads an input in every round waits for it, and inputs end some time. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int last;

static void *listen(void *arg)
{
    while (last == 0 && __VERIFIER_nondet_bool())
        ;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, listen, 0);
    last = 1;
    pthread_join(t, 0);
    return 0;
}
