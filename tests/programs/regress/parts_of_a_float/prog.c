/* frexpf and modff store like frexp and modf. */
#include <assert.h>
#include <math.h>

int main(void)
{
    volatile float eight = 8, half = 2.5f;
    int exponent = -1;
    float whole = -1;

    assert(frexpf(eight, &exponent) == 0.5f && exponent == 4);
    assert(modff(half, &whole) == 0.5f && whole == 2);
    return 0;
}
