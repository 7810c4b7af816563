/* Independent reads of independent writes: both readers agree on the order of the writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *write_one(void *arg)
{
    *(atomic_int *)arg = 1;
    return NULL;
}

static void *read_both(void *arg)
{
    int first = *(arg ? &x : &y);
    int second = *(arg ? &y : &x);

    return (void *)(long)(first && !second);
}

int main(void)
{
    pthread_t w[2], r;
    void *x_first, *y_first;

    pthread_create(&w[0], NULL, write_one, &x);
    pthread_create(&w[1], NULL, write_one, &y);
    pthread_create(&r, NULL, read_both, &x);
    y_first = read_both(NULL);
    pthread_join(w[0], NULL);
    pthread_join(w[1], NULL);
    pthread_join(r, &x_first);
    assert(!(x_first && y_first));
    return 0;
}
