/* A spin lock is taken twice by the same thread. Each round writes, but always the same. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;

static void lock(void)
{
    while (atomic_flag_test_and_set(&flag))
        ;
}

static void *worker(void *arg)
{
    lock();
    lock();
    atomic_flag_clear(&flag);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
