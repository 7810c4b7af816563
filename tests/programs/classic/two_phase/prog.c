/* Two threads add an input to a total, wait for each other, and check the total.
   -DBROKEN does not wait between the phases. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static int input;
static atomic_int total, arrived;

static void *member(void *arg)
{
    (void)arg;
    total += input;
    arrived++;
#ifndef BROKEN
    while (arrived < 2)
        ;
#endif
    assert(total == 2 * input);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    input = __VERIFIER_nondet_int();
    __VERIFIER_assume(-1000 <= input && input <= 1000);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, member, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
