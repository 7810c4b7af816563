/*
 * Threads as fibers: one system thread runs all of them and changes over where one has to wait.
 *
 * Every thread is still made by pthread_create, so it has a stack, thread locals, an errno and a
 * pthread_self of its own. But the system's thread behind it only lends them: it sleeps until the
 * fiber has ended, and then ends as threads do. Whoever has to wait at a gate saves its registers,
 * takes over the stack and the thread pointer of the one that it waits for, and goes on there.
 * Nothing here runs at the same time as anything else, so what is atomic is so for reports only.
 */
#define _GNU_SOURCE
#include "runtime.h"
#include "stacks.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LENT = 1024 }; /* bytes of a stack that the sleeping system thread may still use */

bool irs_fibers;
static struct irs_thread **fibers; /* by their indices; NULL: not started yet */
static struct irs_thread *departed; /* has ended, but its stack was still in use */
static bool alike; /* nobody asks who it is: all can keep one thread pointer, which is faster */

void irs_start_fibers(void)
{
    const char *wanted = getenv("IRS_MODE"), *why;

    if (wanted != NULL && *wanted && strcmp(wanted, "threads") != 0)
        irs_refuse("IRS_MODE=%s is not threads", wanted);
    if (irs_plan.mode == 0 || (wanted != NULL && *wanted))
        return;
    alike = irs_plan.mode & IRS_ALIKE;
    why = obstacle(!alike);
    if (why != NULL && (irs_plan.mode & IRS_DEMANDED))
        irs_refuse("no fibers here: %s; IRS_MODE=threads runs threads", why);
    irs_fibers = why == NULL;
    if (!irs_fibers)
        return;
    fibers = calloc(irs_plan.threads, sizeof *fibers);
    if (fibers == NULL)
        irs_refuse("no memory for fibers");
}

/* ------------------------------------------------------------------ who can go on */

static inline int64_t done_by(uint32_t index)
{
    return atomic_load_explicit(&irs_counts[index].done, memory_order_relaxed);
}

static bool is_ready_otherwise(const struct irs_thread *fiber)
{
    const struct irs_park *park = &irs_parks[fiber->index];
    uint64_t number = (uint64_t)atomic_load(&park->wanted);

    switch (atomic_load(&fiber->rest)) {
    case IRS_BUSY:
        return true;
    case IRS_JOINS:
        return atomic_load(&fiber->awaited->rest) == IRS_OVER;
    case IRS_AT_GATE:
        if (atomic_load(&park->target) == IRS_DECISION)
            return irs_is_decided_or_ended(number, fiber->decider);
        return atomic_load(&park->target) == IRS_ROOM && irs_has_read(fiber->decider, number);
    default:
        return false;
    }
}

static inline bool is_ready(const struct irs_thread *fiber)
{
    const struct irs_park *park = &irs_parks[fiber->index];
    uint32_t target = atomic_load_explicit(&park->target, memory_order_relaxed);

    if (IRS_LIKELY(target < irs_plan.threads))
        return done_by(target) >= atomic_load_explicit(&park->wanted, memory_order_relaxed);
    return is_ready_otherwise(fiber);
}

/* Whom a fiber that is not ready waits for, if it is one. */
static struct irs_thread *awaited(const struct irs_thread *fiber)
{
    uint32_t target = IRS_NONE;

    switch (atomic_load_explicit(&fiber->rest, memory_order_relaxed)) {
    case IRS_JOINS:
        return fiber->awaited;
    case IRS_AT_GATE:
        target = atomic_load_explicit(&irs_parks[fiber->index].target, memory_order_relaxed);
        if (target == IRS_DECISION || target == IRS_ROOM)
            target = fiber->decider;
    }
    return target < irs_plan.threads ? fibers[target] : NULL;
}

static struct irs_thread *anybody(const struct irs_thread *self)
{
    for (uint32_t i = 1; i <= irs_plan.threads; i++) {
        struct irs_thread *fiber = fibers[(self->index + i) % irs_plan.threads];
        if (fiber != NULL && fiber != self && is_ready(fiber))
            return fiber;
    }
    return NULL;
}

/* Nobody will ever go on: no other thread is there to change that. */
static _Noreturn void despair(void)
{
    irs_check_all_stopped();
    irs_stall(0);
}

/* The one that is waited for, or whom that one waits for, and so on; if that leads nowhere, any. */
__attribute__((noinline)) static struct irs_thread *successor(const struct irs_thread *self)
{
    struct irs_thread *next = awaited(self);

    for (uint32_t n = 0; next != NULL && n < irs_plan.threads; n++) {
        if (is_ready(next))
            return next;
        next = awaited(next);
    }
    next = anybody(self);
    if (next == NULL)
        despair();
    return next;
}

/* ------------------------------------------------------------------- changing over */

static void wake_host(struct irs_thread *fiber)
{
    atomic_store(&fiber->released, 1);
    syscall(SYS_futex, &fiber->released, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* First thing on another stack. */
static inline void arrive(void)
{
    struct irs_thread *gone = departed;

    if (IRS_RARELY(gone != NULL)) {
        departed = NULL;
        wake_host(gone);
    }
}

static inline void change_to(struct irs_thread *self, struct irs_thread *next)
{
    self->slept++;
    if (alike)
        irs_self = next;
    else
        set_thread_pointer(next->pointer);
    change_stack(&self->stack, next->stack);
    arrive();
}

static inline void rest(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    struct irs_park *park = &irs_parks[self->index];

    atomic_store_explicit(&park->target, target, memory_order_relaxed);
    atomic_store_explicit(&park->wanted, wanted, memory_order_relaxed);
    atomic_store_explicit(&self->rest, IRS_AT_GATE, memory_order_relaxed);
}

static inline void go_on(struct irs_thread *self)
{
    atomic_store_explicit(&irs_parks[self->index].target, IRS_AWAKE, memory_order_relaxed);
    atomic_store_explicit(&self->rest, IRS_BUSY, memory_order_relaxed);
}

/* Whom this fiber waits for, or who waits for it: one of them mostly can go on now. */
static inline struct irs_thread *neighbour(const struct irs_thread *self, uint32_t target)
{
    struct irs_thread *next = fibers[target];

    if (next != NULL && is_ready(next))
        return next;
    next = self->follower;
    return next != NULL && is_ready(next) ? next : successor(self);
}

__attribute__((always_inline)) static inline void await_count(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    if (done_by(target) < wanted) {
        self->waited++;
        rest(self, target, wanted);
        if (fibers[target] != NULL)
            fibers[target]->follower = self;
        while (done_by(target) < wanted)
            change_to(self, neighbour(self, target));
        go_on(self);
    }
    self->seen[target] = done_by(target);
}

void irs_await_as_fiber(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    await_count(self, target, wanted);
}

/* In one piece: each return on another stack than that of the call is a guess gone wrong. */
void irs_wait_as_fiber(struct irs_thread *self, const struct irs_event *event)
{
    struct irs_pair only = {event->thread, event->count};
    const struct irs_pair *waits = event->waits == 1 ? &only : &irs_plan.waits[event->thread];

    for (uint32_t i = 0; i < event->waits; i++)
        await_count(self, waits[i].thread, self->base[waits[i].thread] + waits[i].count);
}

static void await_otherwise(struct irs_thread *self, uint32_t target, uint32_t whom, uint64_t number)
{
    self->decider = whom;
    self->waited++;
    rest(self, target, (int64_t)number);
    while (!is_ready_otherwise(self))
        change_to(self, successor(self));
    go_on(self);
}

void irs_await_decision_as_fiber(struct irs_thread *self, uint64_t number, uint32_t decider)
{
    await_otherwise(self, IRS_DECISION, decider, number);
}

void irs_await_reader_as_fiber(struct irs_thread *self, uint32_t reader)
{
    await_otherwise(self, IRS_ROOM, reader, self->decisions);
}

/* Who never has to wait must not keep the others from going on. */
void irs_let_others(struct irs_thread *self)
{
    struct irs_thread *next = anybody(self);

    if (next != NULL)
        change_to(self, next);
}

/* For a fiber that will never go on. */
_Noreturn void irs_leave_for_ever(struct irs_thread *self)
{
    for (;;)
        change_to(self, successor(self));
}

/* ------------------------------------------------------------------ beginning and end */

/* The first frame on a fiber's stack. */
static void live(void)
{
    arrive();
    irs_end_fiber(irs_run_thread(irs_self));
}

_Noreturn void irs_end_fiber(void *result)
{
    struct irs_thread *self = irs_self;

    self->result = result;
    irs_finish_thread(self);
    if (self->index != 0) /* the main thread runs all fibers */
        departed = self;
    irs_leave_for_ever(self);
}

/* The system's thread behind a fiber: lends its stack and sleeps until the fiber has ended. */
static void *host(void *value)
{
    struct irs_thread *fiber = value;
    char *here = __builtin_frame_address(0);

    irs_begin_thread(fiber);
    fiber->pointer = thread_pointer();
    fiber->stack = prepared(here - LENT, live);
    atomic_store(&fiber->lent, 1);
    syscall(SYS_futex, &fiber->lent, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    while (!atomic_load(&fiber->released))
        syscall(SYS_futex, &fiber->released, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return fiber->result;
}

int irs_create_fiber(pthread_t *handle, const pthread_attr_t *attributes, struct irs_thread *fiber)
{
    sigset_t all, before;
    int error;

    sigfillset(&all); /* signals are for the one who runs */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(handle, attributes, host, fiber);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return error;
    while (!atomic_load(&fiber->lent))
        syscall(SYS_futex, &fiber->lent, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    fibers[fiber->index] = fiber;
    return 0;
}

/* The main thread is where it is. */
void irs_add_main_fiber(struct irs_thread *self)
{
    self->pointer = thread_pointer();
    fibers[self->index] = self;
}

/* The thread with the handle has ended; what its system's thread still has to do is not long. */
int irs_join_fiber(struct irs_thread *self, struct irs_thread *other, void **result)
{
    self->awaited = other;
    atomic_store_explicit(&self->rest, IRS_JOINS, memory_order_relaxed);
    while (!is_ready(self))
        change_to(self, successor(self));
    atomic_store_explicit(&self->rest, IRS_BUSY, memory_order_relaxed);
    if (other->index != 0)
        return pthread_join((pthread_t)atomic_load(&other->handle), result);
    if (result != NULL)
        *result = other->result;
    return 0;
}
