/* Load buffering: not both loads can see the store that comes after the other load. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *one(void *arg)
{
    int seen = x;

    (void)arg;
    y = 1;
    return (void *)(long)seen;
}

static void *two(void *arg)
{
    int seen = y;

    (void)arg;
    x = 1;
    return (void *)(long)seen;
}

int main(void)
{
    pthread_t t[2];
    void *r1, *r2;

    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], &r1);
    pthread_join(t[1], &r2);
    assert(!(r1 && r2));
    return 0;
}
