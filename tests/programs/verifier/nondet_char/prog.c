/* All values of a char can be tried, and then safe is safe. */
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
signed char __VERIFIER_nondet_char(void);

int main(void)
{
#ifdef SIGNED
    signed char c = __VERIFIER_nondet_char();

    assert(c >= -128 && c <= MOST);
#else
    unsigned char c = __VERIFIER_nondet_uchar();

    assert(c <= MOST);
#endif
    return 0;
}
