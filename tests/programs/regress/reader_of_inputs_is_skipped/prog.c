/* A thread that reads inputs for ever goes first everywhere, so somewhere the others must follow. */
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int value = 2;

static void *changes(void *arg)
{
    int x;

    value = 1;
    while (1)
        x = __VERIFIER_nondet_bool();
    return arg;
}

static void *reads(void *arg)
{
    int x = __VERIFIER_nondet_bool();

    assert(value == 2);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, changes, 0);
    pthread_create(&t[1], 0, reads, 0);
    return 0;
}
