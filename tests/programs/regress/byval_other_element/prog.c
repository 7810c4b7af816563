/* One element of an array is passed by value while another one is written: right. */
#include <assert.h>
#include <pthread.h>

struct part { int v[5]; };
static struct part g[2];

static void take(struct part s)
{
    assert(s.v[0] == s.v[4]);
}

static void *writer(void *arg)
{
    g[1].v[0] = 1;
    g[1].v[4] = 2;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    take(g[0]);
    pthread_join(t, 0);
    return 0;
}
