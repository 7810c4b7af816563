/*
 * Library functions that consist of several events, or that would really wait. Under gates nobody
 * has to wait: when the gate opens, the operation is enabled by proof. So condition variables,
 * barriers and once controls are kept as the verifier models them, in the program's own objects. As
 * soon as nothing is ordered any more, threads really wait, for the same objects.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/*
 * A set of threads, at the beginning of a condition variable: a bit for each of the first MOST_WAITERS.
 * In the bits above is the number of the thread after the one that was woken last.
 */
enum { MOST_WAITERS = 120, TURN = MOST_WAITERS - 64 };
struct waiters {
    uint64_t bits[2];
};

struct barrier {
    uint32_t needed, arrived;
    struct waiters waiters;
};

enum { ONCE_INIT = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 };

/* Only where nothing is ordered: protects the objects, and tells that one has changed. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t atomic_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void begin(uint32_t site)
{
    if (site != IRS_NONE)
        irs_pass(irs_self, site);
    if (irs_self->free)
        pthread_mutex_lock(&guard);
}

static void end(uint32_t site)
{
    if (irs_self->free) {
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&guard);
    }
    if (site != IRS_NONE)
        irs_done(irs_self);
}

/* The schedule promises that nobody has to wait; `format` has a place for the operation. */
static _Noreturn void must_wait(uint32_t site, const char *format)
{
    irs_deviate(irs_self,
                (struct irs_deviation){irs_self->name, irs_event_text(site), irs_self->section,
                                       "an event that need not wait"},
                format, irs_site_text(site));
}

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
static bool await_removal(struct waiters *waiters, const struct timespec *limit)
{
    int error = 0;

    while (irs_self->free && contains_me(waiters) && error != ETIMEDOUT)
        error = limit ? pthread_cond_timedwait(&changed, &guard, limit)
                      : pthread_cond_wait(&changed, &guard);
    return !contains_me(waiters);
}

void irs_at(uint32_t site)
{
    irs_self->site = site;
}

void irs_at_steps(uint32_t site, uint32_t shared, void *performed)
{
    struct irs_thread *self = irs_self;

    self->site = site, self->shared = shared, self->performed = performed;
}

/* ------------------------------------------------------------- condition variables */

static bool wait_for_signal(void *condition, pthread_mutex_t *mutex, bool timed,
                            const struct timespec *limit)
{
    uint32_t site = irs_self->site;
    bool woken;

    begin(site);
    add_me(condition);
    pthread_mutex_unlock(mutex);
    end(site);
    begin(site);
    woken = await_removal(condition, limit);
    remove_me(condition);
    if (!woken) { /* no signal is meant for it any more; to have the mutex is another event */
        if (!irs_self->free && !timed)
            must_wait(site, "would wake at %s without a signal");
        end(site);
        begin(site);
    }
    if (irs_self->free)
        pthread_mutex_unlock(&guard); /* who holds the mutex may want to signal */
    pthread_mutex_lock(mutex);
    if (irs_self->free)
        pthread_mutex_lock(&guard);
    end(site);
    return woken;
}

int irs_pthread_cond_wait(void *condition, pthread_mutex_t *mutex)
{
    wait_for_signal(condition, mutex, false, NULL);
    return 0;
}

int irs_pthread_cond_timedwait(void *condition, pthread_mutex_t *mutex,
                               const struct timespec *limit)
{
    return wait_for_signal(condition, mutex, true, limit) ? 0 : ETIMEDOUT;
}

int irs_pthread_cond_clockwait(void *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *limit)
{
    (void)clock;
    return wait_for_signal(condition, mutex, true, limit) ? 0 : ETIMEDOUT;
}

int irs_cnd_timedwait(void *condition, void *mutex, const struct timespec *limit)
{
    return wait_for_signal(condition, mutex, true, limit) ? thrd_success : thrd_timedout;
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

    begin(IRS_NONE);
    woken = waiter_from(waiters, (unsigned)(waiters->bits[1] >> TURN));
    if (woken == MOST_WAITERS)
        woken = waiter_from(waiters, 0);
    if (woken != MOST_WAITERS) {
        waiters->bits[woken / 64] &= ~((uint64_t)1 << woken % 64);
        waiters->bits[1] &= ((uint64_t)1 << TURN) - 1;
        waiters->bits[1] |= (uint64_t)(woken + 1) << TURN;
    }
    end(IRS_NONE);
    return 0;
}

int irs_pthread_cond_broadcast(struct waiters *waiters)
{
    begin(IRS_NONE);
    *waiters = (struct waiters){0};
    end(IRS_NONE);
    return 0;
}

int irs_pthread_cond_init(struct waiters *waiters, const void *attributes)
{
    (void)attributes;
    *waiters = (struct waiters){0};
    return 0;
}

int irs_cnd_init(struct waiters *waiters)
{
    return irs_pthread_cond_init(waiters, NULL);
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

    begin(site);
    last = ++barrier->arrived == barrier->needed;
    if (last) {
        barrier->arrived = 0;
        barrier->waiters = (struct waiters){0};
    } else {
        add_me(&barrier->waiters);
    }
    end(site);
    begin(site);
    if (!await_removal(&barrier->waiters, NULL))
        must_wait(site, "would leave %s before all have come");
    end(site);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* ----------------------------------------------------------- once, atomic sections */

int irs_pthread_once(uint32_t *control, void (*routine)(void))
{
    uint32_t site = irs_self->site;
    uint32_t before;

    begin(site);
    while (irs_self->free && *control == ONCE_RUNNING)
        pthread_cond_wait(&changed, &guard);
    before = *control;
    if (before == ONCE_RUNNING)
        must_wait(site, "comes to %s while it is going on");
    if (before != ONCE_DONE)
        *control = ONCE_RUNNING;
    end(site);
    if (before == ONCE_DONE)
        return 0;
    struct irs_once outer = irs_self->once;
    irs_self->once = (struct irs_once){control, &outer};
    routine();
    irs_self->once = outer;
    begin(site);
    *control = ONCE_DONE;
    end(site);
    return 0;
}

/* A thread ends in routines that were to run once: it is as if nobody had called them. */
void irs_take_back(void)
{
    struct irs_thread *self = irs_self;

    pthread_mutex_lock(&guard);
    for (const struct irs_once *once = &self->once; once != NULL; once = once->outer)
        if (once->control != NULL)
            *once->control = ONCE_INIT;
    self->once = (struct irs_once){NULL, NULL};
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&guard);
}

void irs_call_once(uint32_t *control, void (*routine)(void))
{
    irs_pthread_once(control, routine);
}

/* The gate has been passed; what is inside belongs to the same event. */
void irs_atomic_begin(void)
{
    struct irs_thread *self = irs_self;

    if (self->free)
        pthread_mutex_lock(&atomic_section);
    else if (self->depth == 0) {
        self->kept = self->next;
        self->next = &irs_stay;
    }
    self->depth++;
}

/* The section is no gated event, but what is inside is none either. */
void irs_atomic_begin_ungated(void)
{
    irs_self->ungated = irs_self->depth == 0;
    irs_atomic_begin();
}

void irs_atomic_end(void)
{
    struct irs_thread *self = irs_self;

    self->depth--;
    if (self->free)
        pthread_mutex_unlock(&atomic_section);
    else if (self->depth == 0) {
        self->next = self->kept;
        if (!self->ungated)
            irs_done(self);
        self->ungated = false;
    }
}

/* -------------------------------------------------------------------- the program's end */

/* A failed assumption stops the thread for ever; the others go on. */
void irs_assume(int condition)
{
    struct irs_thread *self = irs_self;

    if (condition)
        return;
    if (self->depth > 0 && !self->free)
        irs_deviate(self,
                    (struct irs_deviation){self->name, "an assumption fails", self->section,
                                           "the end of an atomic section"},
                    "an assumption fails within an atomic section");
    irs_stop(self);
}

_Noreturn void irs_reach_error(void)
{
    irs_say("%s reaches an error", irs_self->name);
    irs_write_records();
    abort();
}

void irs_assert(int condition)
{
    if (!condition)
        irs_reach_error();
}

_Noreturn void irs_abort(void)
{
    irs_write_records();
    abort();
}

extern _Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);

_Noreturn void irs_assert_fail(const char *text, const char *file, unsigned line,
                               const char *function)
{
    irs_write_records();
    __assert_fail(text, file, line, function);
}

/* ------------------------- gates as calls, where nothing of the schedule happens */

void irs_enter_rarely(uint32_t site)
{
    irs_pass(irs_self, site);
}

void irs_leave_rarely(void)
{
    irs_done(irs_self);
}
