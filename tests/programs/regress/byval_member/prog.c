/* A part of a larger object is passed by value: an element of an array in a struct. */
#include <assert.h>
#include <pthread.h>

struct part { int v[5]; };
static struct { int head; struct part parts[2]; } g;

static void take(struct part s)
{
    assert(s.v[0] == s.v[4]);
}

static void *writer(void *arg)
{
    struct part *p = &g.parts[1];

    p->v[0] = 1;
    p->v[4] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    take(g.parts[g.head + 1]);
    pthread_join(t, 0);
    return 0;
}
