/* A boolean has two values, and both are tried. */
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    _Bool a = __VERIFIER_nondet_bool();
    _Bool b = __VERIFIER_nondet_bool();

#ifdef WRONG
    assert(a || b);
#endif
    return a + 2 * b;
}
