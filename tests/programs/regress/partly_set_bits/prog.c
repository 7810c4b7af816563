/* Bit-fields that are set one by one: what is not set is not looked at. */
#include <assert.h>
#include <pthread.h>

struct flags { unsigned a : 3, b : 4, c : 9; signed d : 5; };
static struct flags shared;

static struct flags next(struct flags x)
{
    x.b = x.a + 1;
    return x;
}

static void *work(void *arg)
{
    struct flags f;
    f.a = 2;
    f = next(f);
    f.d = -3;
    assert(f.a == 2 && f.b == 3 && f.d == -3);
    *(struct flags *)arg = f;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &shared);
    pthread_join(t, 0);
    assert(shared.a == 2 && shared.d == -3);
    return 0;
}
