/* Locks and barriers to compare with, in the place of those of the C library. SPIN: they never
 * sleep, but let others run when it takes long; otherwise they spin for a while and then sleep.
 * Not for programs that use condition variables or trylock. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 200 };

struct barrier {
    _Atomic int arrived, phase;
    int needed;
};

static void relax(int *spins)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (++*spins % SPINS == 0)
        sched_yield();
}

static void sleep_while(_Atomic int *word, int value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}

static void wake(_Atomic int *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0);
}

/* 0: free, 1: taken, 2: taken, and somebody may sleep. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    _Atomic int *word = (_Atomic int *)mutex;
    int spins = 0, expected = 0;
    while (!atomic_compare_exchange_weak_explicit(word, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed)) {
#ifdef SPIN
        relax(&spins);
#else
        if (++spins > SPINS) {
            while (atomic_exchange_explicit(word, 2, memory_order_acquire) != 0)
                sleep_while(word, 2);
            break;
        }
#endif
        expected = 0;
    }
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    _Atomic int *word = (_Atomic int *)mutex;
    if (atomic_exchange_explicit(word, 0, memory_order_release) == 2)
        wake(word, 1);
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *raw, const pthread_barrierattr_t *attributes,
                         unsigned needed)
{
    struct barrier *barrier = (struct barrier *)raw;
    (void)attributes;
    barrier->arrived = 0;
    barrier->phase = 0;
    barrier->needed = (int)needed;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *raw)
{
    struct barrier *barrier = (struct barrier *)raw;
    int phase = atomic_load(&barrier->phase), spins = 0;
    if (atomic_fetch_add(&barrier->arrived, 1) + 1 == barrier->needed) {
        atomic_store(&barrier->arrived, 0);
        atomic_store(&barrier->phase, phase + 1);
#ifndef SPIN
        wake(&barrier->phase, barrier->needed);
#endif
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    while (atomic_load(&barrier->phase) == phase) {
#ifdef SPIN
        relax(&spins);
#else
        if (++spins > SPINS)
            sleep_while(&barrier->phase, phase);
#endif
    }
    return 0;
}
