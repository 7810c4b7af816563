/* Nobody knows what the function leaves behind the pointer that it is given. */
#include <assert.h>

extern void fill(int *);

int main(void)
{
    int x = 1;

    fill(&x);
    assert(x == 1);
    return 0;
}
