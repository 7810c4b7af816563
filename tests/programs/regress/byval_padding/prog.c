/* A struct with padding is passed by value; its members arrive, whatever lies between them. */
#include <assert.h>
#include <pthread.h>

struct loose { char a; long b; char c; short d; };
static struct loose g = {1, 2, 3, 4};

static void take(struct loose s)
{
    assert(s.a + s.b + s.c + s.d == 10);
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
    take(g);
    pthread_join(t, 0);
    return 0;
}
