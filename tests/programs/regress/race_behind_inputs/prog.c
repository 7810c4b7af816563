/* Two accesses race while a third thread reads inputs for ever. */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int value;

static void *writes(void *arg)
{
    value = 1;
    return arg;
}

static void *reads(void *arg)
{
    int x;

    while (1)
        x = __VERIFIER_nondet_bool();
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, writes, 0);
    pthread_create(&t[1], 0, reads, 0);
    value = 2;
    return 0;
}
