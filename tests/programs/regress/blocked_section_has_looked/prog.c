/* What a section that has to wait has read is seen by it, although it never gets through. */
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int value;

static void *changes(void *arg)
{
    value = 1 - value;
    return arg;
}

static void *waits(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(value <= 0);
    __VERIFIER_atomic_end();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, changes, 0);
    pthread_create(&t[1], 0, waits, 0);
    return 0;
}
