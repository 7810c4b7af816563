/* An address that came from a number is cut down to an int: 1 << 32 becomes 0. */
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int main(void)
{
    long v = __VERIFIER_nondet_long();
    void *p = (void *)v;
    int x = (int)p;
    if (v == 4294967296)
        assert(x != 0);
    return 0;
}
