/* The struct is a copy, but the pointer in it leads to the program's memory. */
#include <assert.h>

struct request { long size, flags; int *to; };
extern void submit(struct request);

int main(void)
{
    int x = 1;
    struct request r = {sizeof x, 0, &x};

    submit(r);
    assert(r.size == sizeof x);
    assert(x == 1);
    return 0;
}
