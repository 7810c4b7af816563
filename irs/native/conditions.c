/*
 * Condition variables and barriers, kept as the verifier models them: a set of threads that wait. Whom
 * a signal wakes is the schedule's choice, so it is not left to the C library.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <threads.h>
#include <time.h>

/*
 * A set of threads, at the beginning of a condition variable: a bit for each of the first MOST_WAITERS.
 * In the bits above is the number of the thread after the one that was woken last.
 */
enum { MOST_WAITERS = 120, TURN = MOST_WAITERS - 64 };
struct waiters {
    uint64_t bits[2];
};

struct condition {
    struct waiters waiters;
    clockid_t clock; /* of its time limits */
};

struct barrier {
    uint32_t needed, arrived;
    struct waiters waiters;
};

static uint64_t *word(struct waiters *waiters, uint64_t *bit)
{
    uint32_t index = irs_self->waiter;

    if (index >= MOST_WAITERS)
        irs_refuse("%s cannot wait: there are too many threads", irs_self->name);
    *bit = (uint64_t)1 << index % 64;
    return &waiters->bits[index / 64];
}

static void add_me(struct waiters *waiters)
{
    uint64_t bit, *bits = word(waiters, &bit);

    *bits |= bit;
}

static bool remove_me(struct waiters *waiters)
{
    uint64_t bit, *bits = word(waiters, &bit);
    bool was = *bits & bit;

    *bits &= ~bit;
    return was;
}

static bool contains_me(struct waiters *waiters)
{
    uint64_t bit, *bits = word(waiters, &bit);

    return *bits & bit;
}

/* Where nothing is ordered, really waits until another thread has removed this one. */
static bool await_removal(struct waiters *waiters)
{
    while (irs_self->free && contains_me(waiters))
        pthread_cond_wait(&irs_changed, &irs_guard);
    return !contains_me(waiters);
}

/* ------------------------------------------------------------- condition variables */

/* The same, or until the time is over or the thread is to end. */
static bool await_signal(struct waiters *waiters, clockid_t clock, const struct timespec *limit)
{
    int error = 0;

    while (irs_self->free && contains_me(waiters) && error == 0 && !irs_is_cancelled(irs_self))
        error = limit ? pthread_cond_clockwait(&irs_changed, &irs_guard, clock, limit)
                      : pthread_cond_wait(&irs_changed, &irs_guard);
    return !contains_me(waiters);
}

static bool wait_for_signal(struct condition *condition, pthread_mutex_t *mutex, bool timed,
                            clockid_t clock, const struct timespec *limit)
{
    uint32_t site = irs_self->site;
    bool woken, cancelled;

    irs_begin(site);
    add_me(&condition->waiters);
    pthread_mutex_unlock(mutex);
    irs_end(site);
    irs_begin(site);
    woken = await_signal(&condition->waiters, clock, limit);
    remove_me(&condition->waiters);
    cancelled = !woken && irs_is_cancelled(irs_self);
    if (!woken) { /* no signal is meant for it any more; to have the mutex is another event */
        if (!irs_self->free && !timed && !cancelled)
            irs_must_wait(site, "would wake at %s without a signal");
        irs_end(site);
        irs_begin(site);
    }
    if (irs_self->free)
        pthread_mutex_unlock(&irs_guard); /* who holds the mutex may want to signal */
    pthread_mutex_lock(mutex);
    if (cancelled)
        irs_begin_exit();
    if (irs_self->free)
        pthread_mutex_lock(&irs_guard);
    irs_end(site);
    if (cancelled)
        irs_leave_thread(PTHREAD_CANCELED);
    return woken;
}

int irs_pthread_cond_wait(struct condition *condition, pthread_mutex_t *mutex)
{
    wait_for_signal(condition, mutex, false, CLOCK_REALTIME, NULL);
    return 0;
}

int irs_pthread_cond_timedwait(struct condition *condition, pthread_mutex_t *mutex,
                               const struct timespec *limit)
{
    return wait_for_signal(condition, mutex, true, condition->clock, limit) ? 0 : ETIMEDOUT;
}

int irs_pthread_cond_clockwait(struct condition *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *limit)
{
    return wait_for_signal(condition, mutex, true, clock, limit) ? 0 : ETIMEDOUT;
}

int irs_cnd_timedwait(struct condition *condition, void *mutex, const struct timespec *limit)
{
    return wait_for_signal(condition, mutex, true, CLOCK_REALTIME, limit) ? thrd_success
                                                                          : thrd_timedout;
}

/* The first waiter with at least this number, or MOST_WAITERS. */
static unsigned waiter_from(const struct waiters *waiters, unsigned number)
{
    while (number < MOST_WAITERS && !(waiters->bits[number / 64] >> number % 64 & 1))
        number++;
    return number;
}

/* Whom a signal wakes is open; here it is the one whose turn it is, as schedules are proved for. */
int irs_pthread_cond_signal(struct waiters *waiters)
{
    unsigned woken;

    irs_begin(IRS_NONE);
    woken = waiter_from(waiters, (unsigned)(waiters->bits[1] >> TURN));
    if (woken == MOST_WAITERS)
        woken = waiter_from(waiters, 0);
    if (woken != MOST_WAITERS) {
        waiters->bits[woken / 64] &= ~((uint64_t)1 << woken % 64);
        waiters->bits[1] &= ((uint64_t)1 << TURN) - 1;
        waiters->bits[1] |= (uint64_t)(woken + 1) << TURN;
    }
    irs_end(IRS_NONE);
    return 0;
}

int irs_pthread_cond_broadcast(struct waiters *waiters)
{
    irs_begin(IRS_NONE);
    *waiters = (struct waiters){0};
    irs_end(IRS_NONE);
    return 0;
}

int irs_pthread_cond_init(struct condition *condition, const pthread_condattr_t *attributes)
{
    *condition = (struct condition){{{0, 0}}, CLOCK_REALTIME};
    if (attributes != NULL)
        pthread_condattr_getclock(attributes, &condition->clock);
    return 0;
}

int irs_cnd_init(struct condition *condition)
{
    return irs_pthread_cond_init(condition, NULL);
}

int irs_destroy(void *object)
{
    (void)object;
    return 0;
}

/* ------------------------------------------------------------------------ barriers */

int irs_pthread_barrier_init(struct barrier *barrier, const void *attributes, unsigned needed)
{
    (void)attributes;
    if (needed == 0)
        return EINVAL;
    *barrier = (struct barrier){needed, 0, {{0, 0}}};
    return 0;
}

int irs_pthread_barrier_wait(struct barrier *barrier)
{
    uint32_t site = irs_self->site;
    bool last;

    irs_begin(site);
    last = ++barrier->arrived == barrier->needed;
    if (last) {
        barrier->arrived = 0;
        barrier->waiters = (struct waiters){0};
    } else {
        add_me(&barrier->waiters);
    }
    irs_end(site);
    irs_begin(site);
    if (!await_removal(&barrier->waiters))
        irs_must_wait(site, "would leave %s before all have come");
    irs_end(site);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

