/* Two threads add the input to a total; for one input the total is forbidden, and no order of the
   threads changes it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static int input;
static atomic_int total;

static void *adder(void *arg)
{
    (void)arg;
    total += input;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    input = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= input && input <= MOST);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    if (total == 84)
        assert(0);
    return 0;
}
