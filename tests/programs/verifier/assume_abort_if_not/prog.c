/* assume_abort_if_not is an assumption, although its body calls abort. */
#include <assert.h>

void abort(void);
_Bool __VERIFIER_nondet_bool(void);

void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    _Bool a = __VERIFIER_nondet_bool();

    assume_abort_if_not(a);
    assert(a);
    return 0;
}
