/* A function may return the pointer that it was given. */
#include <assert.h>

extern int *same(int *);

int main(void)
{
    int x = 0;

    assert(same(&x) == &x);
    return 0;
}
