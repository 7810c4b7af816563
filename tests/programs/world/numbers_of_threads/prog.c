/* A lock that knows its owner by the number that the system gives to a thread. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int owner;
static int depth, total;

static void lock(void)
{
    int expected = 0;

    if (owner != gettid())
        while (!atomic_compare_exchange_strong(&owner, &expected, gettid()))
            expected = 0;
    depth++;
}

static void unlock(void)
{
    if (--depth == 0)
        owner = 0;
}

static void *work(void *unused)
{
    lock();
    lock();
    assert(depth == 2 && owner == gettid());
    total++;
    unlock();
    unlock();
    return unused;
}

int main(void)
{
    pthread_t other;

    assert(gettid() == getpid());
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    assert(total == 2);
    return 0;
}
