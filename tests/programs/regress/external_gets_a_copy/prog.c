/* A struct without pointers is passed by value: the caller's own stays as it is. */
#include <assert.h>

struct big { long a, b, c; };
extern void show(struct big);
static struct big g = {1, 2, 3};

int main(void)
{
    show(g);
    assert(g.a == 1 && g.c == 3);
    return 0;
}
