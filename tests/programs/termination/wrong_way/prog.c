/* The counter moves away from its bound for every input but the smallest ones. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int shared;

static void *works(void *arg)
{
    int n = __VERIFIER_nondet_int();

    __VERIFIER_assume(n > 0 && n < 3);
    while (n > 0)
        n = 3 - n;
    shared = n;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, works, 0);
    shared = 2;
    pthread_join(t, 0);
    return 0;
}
