/* What one function returns from shared memory goes straight into the call of another. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };
static struct big g;

static struct big get(void)
{
    return g;
}

static int whole(struct big s)
{
    return s.a == s.c;
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

    pthread_create(&t, 0, writer, 0);
    assert(whole(get()));
    pthread_join(t, 0);
    return 0;
}
