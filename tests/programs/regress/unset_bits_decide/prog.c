/* The neighbour of a bit-field that is set is still undefined. */
#include <assert.h>
#include <pthread.h>

struct flags { unsigned a : 3, b : 4; };

static void *work(void *arg)
{
    struct flags f;
    f.a = 2;
    assert(f.a == 2);
    assert(f.b != 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
