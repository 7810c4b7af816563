/* The threads of the program: who they are in the schedule, how they begin and how they end. */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3 }; /* of destructors of others that come before the thread's end */

_Thread_local struct irs_thread *irs_self;
_Atomic(struct irs_thread *) irs_threads;
static pthread_key_t end_key;
static _Atomic uint32_t alive = 1; /* threads of the program that have not ended */
static _Atomic uint32_t unknown;   /* that the schedule does not name */
_Atomic uint32_t irs_stopped;      /* threads that an assumption has stopped for ever */

static void *room(size_t count, size_t size)
{
    size_t bytes = (count * size + IRS_LINE - 1) / IRS_LINE * IRS_LINE;
    void *found = aligned_alloc(IRS_LINE, bytes ? bytes : IRS_LINE);

    if (found == NULL)
        irs_refuse("no memory for a thread");
    return memset(found, 0, bytes);
}

struct irs_thread *irs_new_thread(uint32_t index, const char *name)
{
    struct irs_thread *thread = room(1, sizeof *thread);
    uint32_t threads = irs_plan.threads;

    thread->index = index;
    thread->waiter = index != IRS_NONE ? index : threads + atomic_fetch_add(&unknown, 1);
    thread->name = name;
    thread->next = &irs_stay;
    thread->plan = &irs_plan;
    thread->free = index == IRS_NONE;
    thread->fences = !irs_asymmetric;
    thread->previous = IRS_NONE;
    thread->executed = room(irs_counters, sizeof *thread->executed);
    if (index != IRS_NONE) {
        thread->count = &irs_counts[index];
        thread->base = room(2 * (size_t)threads, sizeof *thread->base);
        thread->seen = thread->base + threads;
    }
    thread->another = atomic_load(&irs_threads);
    while (!atomic_compare_exchange_weak(&irs_threads, &thread->another, thread))
        ;
    return thread;
}

/* Puts a thread to the beginning of a section. */
static void place(struct irs_thread *thread, uint32_t section)
{
    size_t at = (size_t)section * irs_plan.threads + thread->index;

    thread->section = section;
    thread->next = &thread->plan->events[thread->plan->begin[at]];
}

/* What a thread that ends has left open would be waited for in vain: it is reported here. */
static void at_end(void *value)
{
    intptr_t round = (intptr_t)value;

    if (round < ROUNDS)
        pthread_setspecific(end_key, (void *)(round + 1));
    else
        irs_finish_thread(irs_self);
}

void irs_finish_thread(struct irs_thread *self)
{
    irs_walk_to_end(self, false);
    atomic_store(&self->rest, IRS_OVER);
    atomic_fetch_sub(&irs_running, 1);
    irs_check_all_stopped();
    if (atomic_fetch_sub(&alive, 1) == 1)
        exit(0); /* as the library does after its last thread; but the keeper is one, too */
    if (atomic_load(&alive) == atomic_load(&irs_stopped))
        irs_give_up();
}

/* A failed assumption: for ever. */
_Noreturn void irs_stop(struct irs_thread *self)
{
    irs_walk_to_end(self, true);
    atomic_store(&self->rest, IRS_HALTED);
    atomic_fetch_sub(&irs_running, 1);
    irs_check_all_stopped();
    if (atomic_fetch_add(&irs_stopped, 1) + 1 == atomic_load(&alive))
        irs_give_up();
    if (irs_fibers)
        irs_leave_for_ever(self);
    for (;;)
        pause();
}

void irs_begin_thread(struct irs_thread *self)
{
    irs_self = self;
    atomic_store(&self->tid, (int)syscall(SYS_gettid));
    atomic_store(&self->handle, (uint64_t)pthread_self());
    if (!irs_fibers)
        pthread_setspecific(end_key, (void *)1);
}

void *irs_run_thread(struct irs_thread *self)
{
    void *result = self->standard != NULL ? (void *)(intptr_t)self->standard(self->argument)
                                          : self->routine(self->argument);

    irs_run_end(self);
    return result;
}

/* The system lets it run only where its parent may: that may be one core, see place.c. */
static void *trampoline(void *value)
{
    struct irs_thread *self = value;

    irs_begin_thread(self);
    irs_leave_place(self);
    return irs_run_thread(self);
}

/* The next child of the running thread, as its parent's place in the schedule lets it begin. */
static struct irs_thread *child(struct irs_thread *self)
{
    char name[256];
    uint32_t index = 0;
    struct irs_thread *made;

    if ((size_t)snprintf(name, sizeof name, "%s.%u", self->name, ++self->children) >= sizeof name)
        irs_refuse("threads start threads too deeply");
    while (index < irs_plan.threads && strcmp(irs_thread_name(index), name) != 0)
        index++;
    if (index == irs_plan.threads) {
        if (!self->free)
            irs_deviate(self,
                        (struct irs_deviation){name, "would be started", IRS_NONE,
                                               "only threads that the schedule knows"},
                        "would start %s, which the schedule does not know", name);
        made = irs_new_thread(IRS_NONE, strdup(name));
        made->placed = self->placed;
        return made;
    }
    made = irs_new_thread(index, irs_thread_name(index));
    made->placed = self->placed;
    if (self->free) {
        irs_set_free(made);
        return made;
    }
    memcpy(made->base, self->base, irs_plan.threads * sizeof *made->base);
    made->plan = self->plan;
    made->previous = self->previous;
    made->decisions = self->decisions;
    made->instance = self->instance;
    atomic_store(&irs_parks[index].decisions, self->decisions);
    atomic_store(&irs_parks[index].fate, IRS_RUNNING);
    place(made, self->section);
    return made;
}

static struct irs_thread *prepare(void *argument)
{
    struct irs_thread *thread = child(irs_self);

    thread->argument = argument;
    atomic_fetch_add(&irs_running, 1);
    atomic_fetch_add(&alive, 1);
    return thread;
}

static void start(pthread_t *handle, const pthread_attr_t *attributes, struct irs_thread *thread)
{
    int error = irs_fibers ? irs_create_fiber(handle, attributes, thread)
                           : pthread_create(handle, attributes, trampoline, thread);

    if (error)
        irs_deviate(irs_self,
                    (struct irs_deviation){irs_self->name, "cannot start a thread",
                                           irs_self->section, "that the system lets it"},
                    "cannot start a thread: %s", strerror(error));
}

int irs_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                       void *(*routine)(void *), void *argument)
{
    struct irs_thread *thread = prepare(argument);

    thread->routine = routine;
    start(handle, attributes, thread);
    return 0;
}

int irs_thrd_create(thrd_t *handle, int (*routine)(void *), void *argument)
{
    struct irs_thread *thread = prepare(argument);

    thread->standard = routine;
    start(handle, NULL, thread);
    return thrd_success;
}

static int join_for_a_while(pthread_t handle, void **result)
{
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 200000000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    return pthread_timedjoin_np(handle, result, &limit);
}

/*
 * Under gates, by proof, the thread has done all it had to: it is about to end. Otherwise it may
 * have been stopped for ever: one look is not enough, who ends may be on its way. ECANCELED: who
 * waits is to end itself.
 */
int irs_join(pthread_t handle, void **result, bool cancellable)
{
    struct irs_thread *self = irs_self, *other;
    int error, in_vain = 0;

    atomic_store(&self->joins, (uint64_t)handle);
    if (irs_fibers && (other = irs_with_handle((uint64_t)handle)) != NULL)
        return irs_join_fiber(self, other, result);
    atomic_store(&self->rest, IRS_JOINS);
    atomic_fetch_sub(&irs_running, 1);
    while ((error = join_for_a_while(handle, result)) == ETIMEDOUT) {
        bool nobody_runs = atomic_load(&irs_running) == 0 && atomic_load(&irs_stopped) > 0;
        in_vain = nobody_runs ? in_vain + 1 : 0;
        if (in_vain > 1)
            irs_give_up();
        if (cancellable && irs_is_cancelled(self)) {
            error = ECANCELED;
            break;
        }
    }
    atomic_fetch_add(&irs_running, 1);
    atomic_store(&self->rest, IRS_BUSY);
    return error;
}

int irs_pthread_join(pthread_t handle, void **result)
{
    return irs_join(handle, result, false);
}

int irs_thrd_join(thrd_t handle, int *result)
{
    void *value = NULL;
    int error = irs_pthread_join(handle, &value);

    if (result != NULL)
        *result = (int)(intptr_t)value;
    return error ? thrd_error : thrd_success;
}

void irs_start_threads(void)
{
    uint32_t threads = irs_plan.threads;
    struct irs_thread *first;

    irs_counts = room(threads, sizeof *irs_counts);
    irs_parks = room(threads, sizeof *irs_parks);
    for (uint32_t i = 0; i < threads; i++) {
        atomic_store(&irs_parks[i].target, IRS_AWAKE);
        atomic_store(&irs_parks[i].decisions, UINT64_MAX);
        atomic_store(&irs_parks[i].core, -1);
    }
    if (pthread_key_create(&end_key, at_end) != 0)
        irs_refuse("no key for the end of threads is left");
    atomic_store(&irs_running, 1);
    first = irs_new_thread(threads ? 0 : IRS_NONE, threads ? irs_thread_name(0) : "main");
    irs_begin_thread(first);
    if (irs_fibers)
        irs_add_main_fiber(first);
    if (threads) {
        place(first, irs_plan.start);
        atomic_store(&irs_parks[0].decisions, 0);
        atomic_store(&irs_parks[0].fate, IRS_RUNNING);
    }
}
