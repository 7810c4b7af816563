/* atomic_flag as a lock, and fences of every order. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared;

static int try_update(int v)
{
    if (atomic_flag_test_and_set(&lock))
        return 0;
    shared += v;
    return 1;
}

static void unlock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

int main(void)
{
    int r1 = try_update(5);
    int r2 = try_update(7);
    unlock();
    int r3 = try_update(30);
    printf("%d %d %d %d\n", r1, r2, r3, shared);
    unlock();
    atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_signal_fence(memory_order_acq_rel);
    printf("%d\n", atomic_flag_test_and_set_explicit(&lock, memory_order_acquire));
    printf("%d\n", atomic_flag_test_and_set(&lock));
    return shared;
}
