/*
 * Threads that let time pass, in programs that cancel threads. How long that takes is nothing that was
 * verified. It is over when the thread is to end, so that it comes to its next cancellation point.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000 };

void irs_end_nap(struct irs_thread *other)
{
    syscall(SYS_futex, &other->cancelled, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Waits for a request, for ever or until a time of a clock; answers the system's error. */
static int await_request(struct irs_thread *self, clockid_t clock, const struct timespec *limit)
{
    int operation = FUTEX_WAIT_BITSET_PRIVATE | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
    long failed = 0;

    while (!failed && !atomic_load(&self->cancelled))
        failed = syscall(SYS_futex, &self->cancelled, operation, 0, limit, NULL,
                         FUTEX_BITSET_MATCH_ANY);
    return failed ? errno : 0;
}

static struct timespec from_now(clockid_t clock, const struct timespec *time)
{
    struct timespec until;

    clock_gettime(clock, &until);
    until.tv_nsec += time->tv_nsec;
    until.tv_sec += time->tv_sec + until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    return until;
}

int irs_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                        struct timespec *left)
{
    bool is_usual = (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && time->tv_sec >= 0
                    && time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
    struct timespec until;
    int error;

    if (!is_usual || !irs_can_be_cancelled(irs_self))
        return clock_nanosleep(clock, flags, time, left);
    if (!(flags & TIMER_ABSTIME))
        clock = CLOCK_MONOTONIC; /* steps of the other one do not count */
    until = flags & TIMER_ABSTIME ? *time : from_now(clock, time);
    error = await_request(irs_self, clock, &until);
    return error == EINTR ? EINTR : 0;
}

int irs_nanosleep(const struct timespec *time, struct timespec *left)
{
    int kept = errno, error = irs_clock_nanosleep(CLOCK_REALTIME, 0, time, left);

    errno = error ? error : kept;
    return error ? -1 : 0;
}

int irs_thrd_sleep(const struct timespec *time, struct timespec *left)
{
    int kept = errno, error = irs_clock_nanosleep(CLOCK_REALTIME, 0, time, left);

    errno = kept;
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

unsigned irs_sleep(unsigned seconds)
{
    return irs_nanosleep(&(struct timespec){seconds, 0}, NULL) ? seconds : 0;
}

int irs_usleep(unsigned us)
{
    return irs_nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

int irs_pause(void)
{
    if (!irs_can_be_cancelled(irs_self))
        return pause();
    await_request(irs_self, CLOCK_MONOTONIC, NULL);
    errno = EINTR;
    return -1;
}
