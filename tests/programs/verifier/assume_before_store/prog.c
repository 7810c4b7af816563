/* A thread whose assumption fails before its store never stores. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);

static int x;

static void *run(void *arg)
{
    int value = 1 + __VERIFIER_nondet_bool();

    (void)arg;
    __VERIFIER_assume(value != 2);
    x = value;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    assert(x != 2);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
