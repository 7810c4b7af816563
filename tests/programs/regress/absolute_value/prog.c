/* abs() of a number that nobody knows. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static int digit;

static void *work(void *arg)
{
    int number = __VERIFIER_nondet_int();

    if (number > -1000 && number < 1000)
        digit = abs(number) % 10;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(digit >= 0 && digit < 10);
    return 0;
}
