/*
 * Schedules that take the place of the one that is kept to, while the program runs. They come
 * through a socket (IRS_RELAX is its descriptor), are checked like the first one and hung behind the
 * newest plan. Whoever decides what comes after a section looks there, with one load, and decides to
 * go over; the others read that in the ring as they come. Nothing is ever taken away: a thread that
 * still walks an old plan finds it as it was.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LARGEST = 1 << 26 };

bool irs_live;
_Atomic int irs_relaxing_tid;
static int channel = -1, sample_ms = -1;
static struct irs_plan *newest = &irs_plan;
static _Atomic bool dropped; /* nothing needs to be ordered any more */

/* What is new for a thread at the end of a section, as a decision; IRS_NONE: nothing. */
uint32_t irs_news(const struct irs_thread *self)
{
    const struct irs_plan *after;

    if (atomic_load_explicit(&dropped, memory_order_relaxed))
        return IRS_DROP;
    after = atomic_load_explicit(&self->plan->after, memory_order_acquire);
    return after != NULL && after->entries[self->section] != IRS_NONE ? IRS_RELAX : IRS_NONE;
}

/* Who does not listen any more is not waited for. */
static void tell(const char *line, int length)
{
    if (length > 0)
        send(channel, line, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void irs_tell_relaxed(const struct irs_thread *self, uint32_t decision)
{
    char line[160], schedule[16] = "null";

    if (decision == IRS_RELAX)
        snprintf(schedule, sizeof schedule, "%u", self->plan->number + 1);
    tell(line, snprintf(line, sizeof line,
                        "{\"schedule\": %s, \"section\": %llu, \"time_ns\": %llu}\n", schedule,
                        (unsigned long long)self->instance + 1, (unsigned long long)irs_now()));
}

/* How often the counted operations have been executed so far. */
static void tell_sample(void)
{
    uint64_t sum = 0;
    char line[160];

    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another)
        for (uint32_t i = 0; i < irs_counters; i++)
            sum += __atomic_load_n(&t->executed[i], __ATOMIC_RELAXED);
    tell(line, snprintf(line, sizeof line, "{\"executed\": %llu, \"time_ns\": %llu}\n",
                        (unsigned long long)sum, (unsigned long long)irs_now()));
}

static void await_input(void)
{
    struct pollfd one = {channel, POLLIN, 0};
    int found;

    while ((found = poll(&one, 1, sample_ms)) == 0 || (found < 0 && errno == EINTR))
        if (found == 0)
            tell_sample();
}

static bool receive(void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t found;
        await_input();
        found = read(channel, (char *)to + at, size - at);
        if (found == 0 || (found < 0 && errno != EINTR))
            return false;
        at += found > 0 ? (size_t)found : 0;
    }
    return true;
}

/* Whoever sees the pointer sees the whole plan. */
static void hang_on(unsigned char *data, size_t size)
{
    struct irs_plan *plan = calloc(1, sizeof *plan);

    if (plan == NULL)
        irs_refuse("no memory for the schedule's tables");
    irs_read_plan(plan, data, size);
    if (plan->threads != irs_plan.threads || plan->sites != irs_plan.sites
        || plan->entry_count != newest->sections)
        irs_refuse("a schedule does not fit the one whose place it should take");
    plan->number = newest->number + 1;
    irs_record_events(plan);
    atomic_store_explicit(&newest->after, plan, memory_order_release);
    newest = plan;
}

/* Tables one after the other, each after its length; none at all: nothing is ordered any more. */
static void *relaxing(void *unused)
{
    uint32_t size;

    (void)unused;
    atomic_store(&irs_relaxing_tid, (int)syscall(SYS_gettid));
    while (receive(&size, sizeof size)) {
        unsigned char *data;
        if (size == 0) {
            atomic_store(&dropped, true);
            continue;
        }
        data = size <= LARGEST ? malloc(size) : NULL;
        if (data == NULL)
            irs_refuse("no memory for the schedule's tables");
        if (!receive(data, size))
            break;
        hang_on(data, size);
    }
    return NULL;
}

void irs_start_relaxing(void)
{
    const char *given = getenv("IRS_RELAX"), *interval = getenv("IRS_SAMPLE_MS");
    sigset_t all, before;
    pthread_t thread;
    int error;

    if (given == NULL || *given == '\0' || irs_plan.threads == 0)
        return;
    channel = atoi(given);
    if (interval != NULL && atoi(interval) > 0)
        sample_ms = atoi(interval);
    irs_live = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, NULL, relaxing, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        irs_refuse("cannot start the thread that takes further schedules");
    pthread_detach(thread);
}
