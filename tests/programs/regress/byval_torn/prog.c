/* A struct too large for registers is passed by value while another thread writes it: the callee
 * gets a mixture. Only the copy of the call reads the global. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;

static void take(struct big s)
{
    assert(s.a == s.c);
}

static void *reader(void *arg)
{
    take(g);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reader, 0);
    g.a = 1;
    g.c = 1;
    pthread_join(t, 0);
    return 0;
}
