/* What makes no difference is accepted, and what no attribute can be is not. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
    pthread_attr_t thread;
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_rwlockattr_t lock;

    assert(pthread_attr_init(&thread) == 0);
    assert(pthread_attr_setstacksize(&thread, 1 << 20) == 0);
    assert(pthread_attr_setstacksize(&thread, 100) == EINVAL);
    assert(pthread_attr_setscope(&thread, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setscope(&thread, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setinheritsched(&thread, 7) == EINVAL);
    assert(pthread_mutexattr_init(&mutex) == 0);
    assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_setpshared(&mutex, 2) == EINVAL);
    assert(pthread_condattr_init(&condition) == 0);
    assert(pthread_condattr_setclock(&condition, CLOCK_MONOTONIC) == 0);
    assert(pthread_rwlockattr_init(&lock) == 0);
    assert(pthread_rwlockattr_setkind_np(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
    return 0;
}
