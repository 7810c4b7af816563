/* Store buffering: one of the two sees the other's store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2;

static void *one(void *arg)
{
    (void)arg;
    x = 1;
    r1 = y;
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    y = 1;
    r2 = x;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(r1 == A && r2 == B));
    return 0;
}
