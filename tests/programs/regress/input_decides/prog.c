/* An input of a verifier is meant to be any value: an error that needs one is an error. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    assert(__VERIFIER_nondet_int() != 2);
    return 0;
}
