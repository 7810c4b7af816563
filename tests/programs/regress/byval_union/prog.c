/* A union is passed by value and looked at as another member than was written. */
#include <assert.h>
#include <pthread.h>

union both {
    long words[3];
    char bytes[24];
};
static union both g;

static void take(union both u)
{
    assert(u.bytes[0] == u.bytes[16]);
}

static void *writer(void *arg)
{
    g.words[0] = 1;
    g.words[2] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    take(g);
    pthread_join(t, 0);
    return 0;
}
