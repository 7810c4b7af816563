/* What the run-time says, and how it ends the process. */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Atomic bool finishing, stall_told;

static void say(const char *format, va_list arguments)
{
    char line[1024];
    int n = vsnprintf(line, sizeof line - 1, format, arguments);

    if (n < 0)
        return;
    if ((size_t)n >= sizeof line - 1)
        n = sizeof line - 2;
    line[n] = '\n';
    if (write(STDERR_FILENO, "irs: ", 5) < 0 || write(STDERR_FILENO, line, (size_t)n + 1) < 0)
        return;
}

void irs_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

_Noreturn void irs_refuse(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(IRS_DEVIATION);
}

/* Who waits for input holds its stream's lock, so only output is flushed, and not at any price. */
static void flush_output(void)
{
    const struct timespec little = {0, 1000000};

    for (int tries = 0; tries < 100; tries++) {
        if (ftrylockfile(stdout) == 0) {
            fflush(stdout);
            return;
        }
        nanosleep(&little, NULL);
    }
}

/* Whoever comes second waits for the end: what the first one has said is what has happened. */
static void claim_the_end(void)
{
    if (atomic_exchange(&finishing, true))
        for (;;)
            pause();
}

/* Ends the process without running what the program has registered for its end. */
static _Noreturn void end(int status)
{
    flush_output();
    irs_write_records();
    _exit(status);
}

_Noreturn void irs_finish(int status)
{
    claim_the_end();
    end(status);
}

/* Stops the run before the operation is performed. */
_Noreturn void irs_deviate(struct irs_thread *self, struct irs_deviation found, const char *format,
                           ...)
{
    char reason[800];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    claim_the_end();
    found.plan = self->plan;
    irs_note_deviation(found);
    irs_say("the run deviates: %s (event %lld of section %u) %s", self->name,
            self->free ? 0ll
                       : (long long)(self->done - (self->base ? self->base[self->index] : 0)) + 1,
            self->section, reason);
    end(IRS_DEVIATION);
}

const char *irs_thread_name(uint32_t index)
{
    return irs_plan.strings + irs_plan.thread_names[index];
}

const char *irs_site_text(uint32_t site)
{
    return site < irs_plan.sites ? irs_plan.strings + irs_plan.site_texts[site] : "its end";
}

/* As Python threads tell it: they have no words for what the schedule does not know. */
const char *irs_event_text(uint32_t site)
{
    return site < irs_plan.sites && irs_plan.site_numbers[site] == IRS_NONE
               ? "an event that the schedule does not know"
               : irs_site_text(site);
}

/* The latest thread that had a handle: the library may give it to another one after a join. */
struct irs_thread *irs_with_handle(uint64_t handle)
{
    struct irs_thread *t = atomic_load(&irs_threads);

    while (t && atomic_load(&t->handle) != handle)
        t = t->another;
    return t;
}

static void describe_at_gate(const struct irs_thread *thread, char *line, size_t room)
{
    const struct irs_park *park = &irs_parks[thread->index];
    uint32_t target = atomic_load(&park->target);
    long long wanted = atomic_load(&park->wanted);

    if (target == IRS_FOREVER)
        snprintf(line, room, "%s has nothing to do any more", thread->name);
    else if (target == IRS_DECISION)
        snprintf(line, room, "%s waits for decision %lld", thread->name, wanted + 1);
    else if (target == IRS_ROOM)
        snprintf(line, room, "%s waits for those who are behind", thread->name);
    else if (target < irs_plan.threads)
        snprintf(line, room, "%s waits for event %lld of %s, which has done %lld", thread->name,
                 wanted, irs_thread_name(target), (long long)atomic_load(&irs_counts[target].done));
    else
        snprintf(line, room, "%s is running", thread->name);
}

static void describe(const struct irs_thread *thread, char *line, size_t room)
{
    const struct irs_thread *other;

    switch (atomic_load(&thread->rest)) {
    case IRS_AT_GATE:
        describe_at_gate(thread, line, room);
        break;
    case IRS_JOINS:
        other = irs_with_handle(atomic_load(&thread->joins));
        snprintf(line, room, "%s waits for the end of %s", thread->name,
                 other ? other->name : "a thread");
        break;
    case IRS_HALTED:
        snprintf(line, room, "%s has been stopped by an assumption", thread->name);
        break;
    case IRS_OVER:
        snprintf(line, room, "%s has ended", thread->name);
        break;
    default:
        irs_describe_in_library(thread, line, room);
    }
}

static bool is_worth_telling(const struct irs_thread *thread)
{
    return thread->index != IRS_NONE || atomic_load(&thread->rest) != IRS_OVER;
}

/* Who waits for whom, in the order in which they were started. */
void irs_describe_waiting(void (*tell)(void *to, const char *line), void *to)
{
    const struct irs_thread *newest = atomic_load(&irs_threads), **all;
    size_t count = 0;
    char line[800];

    for (const struct irs_thread *t = newest; t; t = t->another)
        count += is_worth_telling(t);
    all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return;
    for (size_t left = count; newest && left > 0; newest = newest->another)
        if (is_worth_telling(newest))
            all[--left] = newest;
    for (size_t i = 0; i < count; i++) {
        if (all[i] == NULL) /* one has ended while we looked */
            continue;
        describe(all[i], line, sizeof line);
        tell(to, line);
    }
    free(all);
}

static void say_indented(void *to, const char *line)
{
    (void)to;
    irs_say("  %s", line);
}

/* Once is enough. Fibers need no time to be sure. */
void irs_tell_stall(int seconds)
{
    if (atomic_exchange(&stall_told, true))
        return;
    if (seconds > 0)
        irs_say("nothing has moved for %d s", seconds);
    irs_describe_waiting(say_indented, NULL);
}

/* When every thread has been stopped or has nothing to do, nobody will ever end the process. */
void irs_check_all_stopped(void)
{
    bool stuck = false;

    for (uint32_t i = 0; i < irs_plan.threads; i++) {
        uint32_t fate = atomic_load(&irs_parks[i].fate);
        if (fate == IRS_RUNNING && atomic_load(&irs_parks[i].target) != IRS_FOREVER)
            return;
        stuck |= fate == IRS_STUCK;
    }
    if (stuck)
        irs_give_up();
}

_Noreturn void irs_give_up(void)
{
    claim_the_end();
    irs_say("the run is over: an assumption has failed, and no thread can go on");
    end(0);
}

bool irs_is_one_at_a_gate(void)
{
    for (const struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another)
        if (atomic_load(&t->rest) == IRS_AT_GATE
            && atomic_load(&irs_parks[t->index].target) != IRS_FOREVER)
            return true;
    return false;
}

/*
 * All threads wait. Where nothing orders them they may wait for one that an assumption has stopped,
 * as in the proof.
 */
_Noreturn void irs_stall(int seconds)
{
    bool over = atomic_load(&irs_stopped) > 0 && !irs_is_one_at_a_gate();

    if (seconds > 0 || !over)
        irs_tell_stall(seconds);
    if (over)
        irs_give_up();
    claim_the_end();
    irs_note_stall(seconds);
    irs_say("all threads wait: the run is stalled");
    end(IRS_DEVIATION);
}
