/* What the function leaves may be the one value that is asserted. */
#include <assert.h>

extern void fill(int *);

int main(void)
{
    int x = 0;

    fill(&x);
    assert(x == 7);
    return 0;
}
