/* Nothing is asserted: the copy that passes a struct by value races with a write. */
#include <pthread.h>

struct big { long v[5]; };
static struct big g;
static long seen;

static void take(struct big s)
{
    seen = s.v[4];
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
    g.v[4] = 1;
    pthread_join(t, 0);
    return 0;
}
