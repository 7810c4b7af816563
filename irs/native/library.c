/*
 * Library functions that consist of several events, or that would really wait. Under gates nobody
 * has to wait: when the gate opens, the operation is enabled by proof. So condition variables and
 * barriers (conditions.c) and once controls are kept as the verifier models them, in the program's
 * own objects. As soon as nothing is ordered any more, threads really wait, for the same objects.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>

enum { ONCE_INIT = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 };

pthread_mutex_t irs_guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t irs_changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t atomic_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void irs_begin(uint32_t site)
{
    if (site != IRS_NONE)
        irs_pass(irs_self, site);
    if (irs_self->free)
        pthread_mutex_lock(&irs_guard);
}

void irs_end(uint32_t site)
{
    if (irs_self->free) {
        pthread_cond_broadcast(&irs_changed);
        pthread_mutex_unlock(&irs_guard);
    }
    if (site != IRS_NONE)
        irs_done(irs_self);
}

_Noreturn void irs_must_wait(uint32_t site, const char *format)
{
    irs_deviate(irs_self,
                (struct irs_deviation){irs_self->name, irs_event_text(site), irs_self->section,
                                       "an event that need not wait"},
                format, irs_site_text(site));
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

/* ----------------------------------------------------------- once, atomic sections */

int irs_pthread_once(uint32_t *control, void (*routine)(void))
{
    uint32_t site = irs_self->site;
    uint32_t before;

    irs_begin(site);
    while (irs_self->free && *control == ONCE_RUNNING)
        pthread_cond_wait(&irs_changed, &irs_guard);
    before = *control;
    if (before == ONCE_RUNNING)
        irs_must_wait(site, "comes to %s while it is going on");
    if (before != ONCE_DONE)
        *control = ONCE_RUNNING;
    irs_end(site);
    if (before == ONCE_DONE)
        return 0;
    struct irs_once outer = irs_self->once;
    irs_self->once = (struct irs_once){control, &outer};
    routine();
    irs_self->once = outer;
    irs_begin(site);
    *control = ONCE_DONE;
    irs_end(site);
    return 0;
}

/*
 * A thread ends in routines that were to run once: it is as if nobody had called them. `handler` is
 * what it comes to before it ends: routines that were begun before that go on.
 */
void irs_take_back(const void *handler)
{
    struct irs_thread *self = irs_self;

    pthread_mutex_lock(&irs_guard);
    while (self->once.control != NULL
           && (handler == NULL || (uintptr_t)self->once.outer < (uintptr_t)handler)) {
        *self->once.control = ONCE_INIT;
        self->once = *self->once.outer;
    }
    pthread_cond_broadcast(&irs_changed);
    pthread_mutex_unlock(&irs_guard);
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

/* Behind setjmp: a jump that leads there once more is no end of that event. */
void irs_leave_first(int result)
{
    if (result == 0)
        irs_done(irs_self);
}
