/* The assumption fails, but only after others have seen what the thread did before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y, taken;

static void *one(void *arg)
{
    int seen = x;

    y = 1;
    __VERIFIER_assume(seen == 1);
    return arg;
}

static void *two(void *arg)
{
    int before = atomic_fetch_add(&taken, 1);

    __VERIFIER_assume(before == 0);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_create(&t[2], 0, two, 0);
#ifdef TAKEN
    assert(taken != 2);
#else
    assert(y == 0);
#endif
    x = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
