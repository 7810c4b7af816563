/* Two threads write to elements that nobody knows, but they are never the same one. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#ifndef APART
#define APART 1
#endif

static int a[8];
static int k;

static void *writes(void *arg)
{
    a[k] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < 7);
    pthread_create(&t, 0, writes, 0);
    a[k + APART] = 2;
    pthread_join(t, 0);
    return 0;
}
