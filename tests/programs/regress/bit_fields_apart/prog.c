/* An unnamed field of width 0 puts the next one into memory of its own: right. */
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 4, : 0, b : 4; } g;

static void *writer(void *arg)
{
    g.b = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    g.a = 1;
    pthread_join(t, 0);
    assert(g.a == 1 && g.b == 1);
    return 0;
}
