/* The inner loop starts anew each time, the outer one counts down: both end. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int shared;

static void *works(void *arg)
{
    int n = __VERIFIER_nondet_int();
    int sum = 0;

    for (int i = n; i > 0; i--)
        for (int j = 0; j != i; j++)
            sum = 1;
    shared = sum;
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
