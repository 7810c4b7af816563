/* Infinities have signs, errors are told by errno, and what is rounded is rounded once. */
#include <assert.h>
#include <errno.h>
#include <math.h>

volatile double zero = 0, one = 1, large = 1e300, below_half = 0.49999999999999994, tenth = 0.1;

int main(void)
{
    errno = 0;
    assert(log(zero) == -INFINITY && errno == ERANGE);
    assert(log2(-zero) == -INFINITY && log10(zero) == -INFINITY);
    assert(pow(zero, -one) == INFINITY && pow(-zero, -one) == -INFINITY);
    assert(sinh(-large) == -INFINITY && cosh(-large) == INFINITY);
    assert(pow(-large, 3) == -INFINITY && pow(-large, 2) == INFINITY);
    assert(ldexp(-one, 5000) == -INFINITY && ldexp(one, -1) == 0.5);
    assert(round(below_half) == 0 && lround(-below_half) == 0 && round(2.5) == 3);
    assert(fma(tenth, 10, -1) != 0 && fma(large, large, -INFINITY) == -INFINITY);
    errno = 0;
    assert(isnan(sqrt(-one)) && errno == EDOM);
    return 0;
}
