/*
 * Operations with a time limit. Under gates they would have to wait exactly where the verifier lets
 * them time out; as soon as nothing is ordered any more, they wait as long as they are told.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

int irs_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit)
{
    int error = irs_self->free ? pthread_mutex_timedlock(mutex, limit)
                               : pthread_mutex_trylock(mutex);

    return error == EBUSY ? ETIMEDOUT : error;
}

int irs_mtx_timedlock(mtx_t *mutex, const struct timespec *limit)
{
    int result = irs_self->free ? mtx_timedlock(mutex, limit) : mtx_trylock(mutex);

    return result == thrd_busy ? thrd_timedout : result;
}

int irs_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *limit)
{
    int error = irs_self->free ? pthread_rwlock_timedrdlock(lock, limit)
                               : pthread_rwlock_tryrdlock(lock);

    return error == EBUSY ? ETIMEDOUT : error;
}

int irs_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *limit)
{
    int error = irs_self->free ? pthread_rwlock_timedwrlock(lock, limit)
                               : pthread_rwlock_trywrlock(lock);

    return error == EBUSY ? ETIMEDOUT : error;
}

int irs_sem_timedwait(sem_t *semaphore, const struct timespec *limit)
{
    int failed = irs_self->free ? sem_timedwait(semaphore, limit) : sem_trywait(semaphore);

    if (failed && errno == EAGAIN)
        errno = ETIMEDOUT;
    return failed;
}
