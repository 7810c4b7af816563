/* A spin lock that two threads take in turn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set(&flag))
        ;
    x++;
    atomic_flag_clear(&flag);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
