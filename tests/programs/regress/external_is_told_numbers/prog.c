/* A function that gets numbers only cannot reach a local of its caller. */
#include <assert.h>

extern void tell(int, double);

int main(void)
{
    int x = 1;

    tell(x, 1.5);
    assert(x == 1);
    return 0;
}
