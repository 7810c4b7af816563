/* A nondeterministic int has more values than are tried: a safe answer is bounded. */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    assert(n != 7);
    return 0;
}
