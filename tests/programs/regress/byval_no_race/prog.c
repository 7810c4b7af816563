/* Two threads pass the same struct by value, and nobody writes it after they were started; what the
 * callee does to its copy nobody else sees. No race. */
#include <assert.h>
#include <pthread.h>

struct big { long v[5]; };
static struct big g;

static void take(struct big s)
{
    s.v[0] += s.v[4];
    assert(s.v[0] == 9);
}

static void *reader(void *arg)
{
    take(g);
    return arg;
}

int main(void)
{
    pthread_t t;

    g.v[0] = 4;
    g.v[4] = 5;
    pthread_create(&t, 0, reader, 0);
    take(g);
    pthread_join(t, 0);
    assert(g.v[0] == 4);
    return 0;
}
