/* Each level of a recursion gets the global by value; the deepest copies are made at different
 * times. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;

static void down(int depth, struct big s)
{
    if (depth > 0)
        down(depth - 1, g);
    else
        assert(s.a == s.c);
}

static void *writer(void *arg)
{
    g.a = 1;
    g.c = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct big mine = {3, 3, 3};

    pthread_create(&t, 0, writer, 0);
    down(1, mine);
    pthread_join(t, 0);
    return 0;
}
