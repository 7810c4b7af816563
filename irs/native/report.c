/* What the run-time says, and how it ends the process. */
#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Atomic bool finishing;

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

/* Stops the run before the operation is performed. */
_Noreturn void irs_deviate(struct irs_thread *self, const char *format, ...)
{
    char reason[800];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    irs_say("the run deviates: %s (event %lld of section %u) %s", self->name,
            self->free ? 0ll
                       : (long long)(self->done - (self->base ? self->base[self->index] : 0)) + 1,
            self->section, reason);
    irs_finish(IRS_DEVIATION);
}

const char *irs_thread_name(uint32_t index)
{
    return irs_plan.strings + irs_plan.thread_names[index];
}

const char *irs_site_text(uint32_t site)
{
    return site < irs_plan.sites ? irs_plan.strings + irs_plan.site_texts[site] : "its end";
}

/* Who waits for whom. */
void irs_describe_waiting(void)
{
    for (uint32_t i = 0; i < irs_plan.threads; i++) {
        const struct irs_park *park = &irs_parks[i];
        uint32_t target = atomic_load(&park->target);
        long long wanted = atomic_load(&park->wanted);

        if (atomic_load(&park->fate) == IRS_UNBORN)
            continue;
        if (atomic_load(&park->fate) >= IRS_ENDED)
            irs_say("  %s has ended", irs_thread_name(i));
        else if (target == IRS_FOREVER)
            irs_say("  %s has nothing to do any more", irs_thread_name(i));
        else if (target == IRS_DECISION)
            irs_say("  %s waits for decision %lld", irs_thread_name(i), wanted + 1);
        else if (target < irs_plan.threads)
            irs_say("  %s waits for event %lld of %s, which has done %lld", irs_thread_name(i),
                    wanted, irs_thread_name(target),
                    (long long)atomic_load(&irs_counts[target].done));
        else
            irs_say("  %s is running", irs_thread_name(i));
    }
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
    irs_say("the run is over: an assumption has failed, and no thread can go on");
    irs_finish(0);
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

/* Ends the process without running what the program has registered for its end. */
_Noreturn void irs_finish(int status)
{
    if (atomic_exchange(&finishing, true))
        for (;;)
            pause();
    flush_output();
    irs_write_records();
    _exit(status);
}
