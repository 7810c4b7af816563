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

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LENT = 1024 };     /* bytes of a stack that the sleeping system thread may still use */
enum { LONG_TURN = 1024 }; /* sections after which the others have their turn */
enum { THREAD_POINTER_WRITABLE = 2 }; /* of AT_HWCAP2 */

bool irs_fibers;
static struct irs_thread **fibers; /* by their indices; NULL: not started yet */
static struct irs_thread *departed; /* has ended, but its stack was still in use */

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)

void irs_change_stack(void **from, void *to, void *thread_pointer);
/* A jump and no return: the processor has seen nobody call for it. */
__asm__(".text\n.p2align 4\n.type irs_change_stack, @function\nirs_change_stack:\n"
        "    pushq %rbp\n    pushq %rbx\n"
        "    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n    movq %rsi, %rsp\n    wrfsbase %rdx\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n"
        "    popq %rbx\n    popq %rbp\n    popq %rcx\n    jmp *%rcx\n"
        ".size irs_change_stack, . - irs_change_stack\n");

static void *thread_pointer(void)
{
    void *found;

    __asm__("movq %%fs:0, %0" : "=r"(found));
    return found;
}

/* The way back of calls is kept twice where the system asks for it, and would not fit. */
static bool has_shadow_stack(void)
{
    uint64_t top = 0;

    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8" : "+a"(top)); /* rdsspq %rax */
    return top != 0;
}

/* Why this machine cannot do it; NULL: it can. */
static const char *obstacle(void)
{
    if (!(getauxval(AT_HWCAP2) & THREAD_POINTER_WRITABLE))
        return "the system does not let programs set their thread pointer";
    if (has_shadow_stack())
        return "the system keeps a shadow stack for each thread";
    return NULL;
}

/* A stack on which irs_change_stack comes to the beginning of a function. */
static void **prepared(char *top, void (*function)(void))
{
    void **frame = (void **)((uintptr_t)top & ~(uintptr_t)15) - 8;

    memset(frame, 0, 8 * sizeof *frame); /* six registers; nowhere to return to */
    frame[6] = (void *)function;
    return frame;
}

#else

static void irs_change_stack(void **from, void *to, void *pointer) { abort(); }
static void *thread_pointer(void) { return NULL; }
static const char *obstacle(void) { return "fibers are for Linux on x86-64, with glibc"; }
static void **prepared(char *top, void (*function)(void)) { return NULL; }

#endif

void irs_start_fibers(void)
{
    const char *wanted = getenv("IRS_MODE"), *why;

    if (wanted != NULL && *wanted && strcmp(wanted, "threads") != 0)
        irs_refuse("IRS_MODE=%s is not threads", wanted);
    if (irs_plan.mode == IRS_THREADS || (wanted != NULL && *wanted))
        return;
    why = obstacle();
    if (why != NULL && irs_plan.mode == IRS_FIBERS)
        irs_refuse("no fibers here: %s; IRS_MODE=threads runs threads", why);
    irs_fibers = why == NULL;
    if (!irs_fibers)
        return;
    fibers = calloc(irs_plan.threads, sizeof *fibers);
    if (fibers == NULL)
        irs_refuse("no memory for fibers");
}

/* ------------------------------------------------------------------ who can go on */

static bool is_ready(const struct irs_thread *fiber)
{
    const struct irs_park *park = &irs_parks[fiber->index];
    int64_t wanted = atomic_load_explicit(&park->wanted, memory_order_relaxed);
    uint32_t target;

    switch (atomic_load_explicit(&fiber->rest, memory_order_relaxed)) {
    case IRS_BUSY:
        return true;
    case IRS_JOINS:
        return atomic_load(&fiber->awaited->rest) == IRS_OVER;
    case IRS_AT_GATE:
        target = atomic_load_explicit(&park->target, memory_order_relaxed);
        if (target == IRS_DECISION)
            return irs_is_decided_or_ended((uint64_t)wanted, fiber->decider);
        if (target == IRS_ROOM)
            return irs_has_read(fiber->decider, (uint64_t)wanted);
        return target < irs_plan.threads
               && atomic_load_explicit(&irs_counts[target].done, memory_order_relaxed) >= wanted;
    default:
        return false;
    }
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
static struct irs_thread *successor(const struct irs_thread *self)
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
    irs_change_stack(&self->stack, next->stack, next->pointer);
    arrive();
}

static inline void rest_at_gate(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    struct irs_park *park = &irs_parks[self->index];

    atomic_store_explicit(&park->target, target, memory_order_relaxed);
    atomic_store_explicit(&park->wanted, wanted, memory_order_relaxed);
    atomic_store_explicit(&self->rest, IRS_AT_GATE, memory_order_relaxed);
    while (!is_ready(self))
        change_to(self, successor(self));
    atomic_store_explicit(&park->target, IRS_AWAKE, memory_order_relaxed);
    atomic_store_explicit(&self->rest, IRS_BUSY, memory_order_relaxed);
}

int64_t irs_await_as_fiber(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    rest_at_gate(self, target, wanted);
    return atomic_load_explicit(&irs_counts[target].done, memory_order_relaxed);
}

void irs_await_decision_as_fiber(struct irs_thread *self, uint64_t number, uint32_t decider)
{
    self->decider = decider;
    rest_at_gate(self, IRS_DECISION, (int64_t)number);
}

void irs_await_reader_as_fiber(struct irs_thread *self, uint32_t reader)
{
    self->decider = reader;
    rest_at_gate(self, IRS_ROOM, (int64_t)self->decisions);
}

/* Who never has to wait must not keep the others from going on. */
void irs_let_others(struct irs_thread *self)
{
    struct irs_thread *next;

    if (++self->turns % LONG_TURN != 0)
        return;
    next = anybody(self);
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
