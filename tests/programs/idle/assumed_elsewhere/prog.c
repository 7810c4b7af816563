/* The assumption is in a function that is called, returned to, or jumped over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y;

static void check(int seen)
{
    __VERIFIER_assume(seen);
}

static int look(atomic_int *cell)
{
    return *cell;
}

static void *one(void *arg)
{
    if (look(&y))
        check(look(&x));
    else
        y = 2;
    return arg;
}

static void *two(void *arg)
{
    y = 1;
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(y == 1);
    return 0;
}
