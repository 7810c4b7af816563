/* Locks made of one atomic operation: exchange, a flag, old and new builtins. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int counter;

#if defined EXCHANGE
static atomic_int held;
#define LOCK() while (atomic_exchange(&held, 1))
#define UNLOCK() atomic_store(&held, 0)
#elif defined FLAG
static atomic_flag held = ATOMIC_FLAG_INIT;
#define LOCK() while (atomic_flag_test_and_set(&held))
#define UNLOCK() atomic_flag_clear(&held)
#elif defined SYNC
static int held;
#define LOCK() while (__sync_lock_test_and_set(&held, 1))
#define UNLOCK() __sync_lock_release(&held)
#else
static int held;
#define LOCK() while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST))
#define UNLOCK() __atomic_store_n(&held, 0, __ATOMIC_SEQ_CST)
#endif

static void *run(void *arg)
{
    (void)arg;
    LOCK();
    counter++;
    UNLOCK();
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
