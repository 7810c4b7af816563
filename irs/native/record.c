/*
 * What ran, if somebody asks: IRS_TRACE=FILE, one event per line in the order in which they
 * happened, as irs/record.py reads it; IRS_STATS=FILE, counts of events, waits and sleeps, one
 * thread per line.
 */
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

/* An event, or at no site a section that was walked into. */
struct entry {
    uint64_t number, instance;
    uint32_t site, section, thread, plan;
};

struct irs_trace {
    struct irs_trace *before;
    _Atomic size_t used;
    struct entry entry[CHUNK];
};

bool irs_recorded, irs_deadlocked;
static const char *trace_file, *stats_file, *report_file;
static _Atomic uint64_t order;
static uint64_t started;

static const char *named(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && *value ? value : NULL;
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        irs_say("cannot write %s: %s", path, strerror(errno));
    return file;
}

static void close_file(FILE *file, const char *path)
{
    if (ferror(file) | fclose(file))
        irs_say("cannot write all of %s: %s", path, strerror(errno));
}

/* Better before the run than after it. */
static void check_writable(const char *path)
{
    FILE *file = path != NULL ? open_file(path) : NULL;

    if (file != NULL)
        fclose(file);
    else if (path != NULL)
        irs_refuse("what is to be recorded cannot be written");
}

void irs_start_records(void)
{
    trace_file = named("IRS_TRACE");
    stats_file = named("IRS_STATS");
    report_file = named("IRS_REPORT");
    check_writable(trace_file);
    check_writable(stats_file);
    check_writable(report_file);
    irs_recorded = trace_file != NULL;
    started = irs_now();
    irs_record_events(&irs_plan);
}

void irs_record_events(struct irs_plan *plan)
{
    for (size_t i = 0; irs_recorded && i < plan->event_count; i++)
        if (plan->events[i].site != IRS_NONE)
            plan->events[i].flags |= IRS_RECORD;
}

static void keep(struct irs_thread *self, struct entry entry)
{
    struct irs_trace *chunk = self->trace;
    size_t used = chunk == NULL ? CHUNK : atomic_load_explicit(&chunk->used, memory_order_relaxed);

    if (used == CHUNK) {
        struct irs_trace *next = malloc(sizeof *next);
        if (next == NULL)
            irs_refuse("no memory for the trace");
        atomic_init(&next->used, used = 0);
        next->before = chunk;
        atomic_store((_Atomic(struct irs_trace *) *)&self->trace, next);
        chunk = next;
    }
    chunk->entry[used] = entry;
    atomic_store_explicit(&chunk->used, used + 1, memory_order_release);
}

/* While the operation is going on: so the numbers are in an order that the gates permit. */
static void record(struct irs_thread *self, uint32_t site)
{
    uint64_t number = atomic_fetch_add(&order, 1);

    keep(self, (struct entry){number, self->instance, site, self->section, self->index,
                               self->plan->number});
}

void irs_leave_special(struct irs_thread *self, const struct irs_event *event)
{
    if (event->flags & IRS_STAY)
        return;
    record(self, event->site);
    self->next = event + 1;
    self->done++;
    if (event->flags & IRS_PUBLISH)
        irs_publish(self, self->done);
}

void irs_record_section(struct irs_thread *self)
{
    keep(self, (struct entry){0, self->instance, IRS_NONE, self->section, self->index,
                               self->plan->number});
}

/* Sections in their order, then events in theirs; a section is told by all who came into it. */
static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    bool events = a->site != IRS_NONE;
    uint64_t x = events ? a->number : a->instance, y = events ? b->number : b->instance;

    if (events != (b->site != IRS_NONE))
        return events ? 1 : -1;
    return (x > y) - (x < y);
}

static struct entry *gather(size_t *count)
{
    struct entry *all = NULL;
    size_t room = 0;

    *count = 0;
    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another)
        for (struct irs_trace *c = atomic_load((_Atomic(struct irs_trace *) *)&t->trace); c;
             c = c->before) {
            size_t used = atomic_load_explicit(&c->used, memory_order_acquire);
            if (*count + used > room) {
                room = 2 * (*count + used);
                all = realloc(all, room * sizeof *all);
                if (all == NULL)
                    irs_refuse("no memory to write the trace");
            }
            memcpy(all + *count, c->entry, used * sizeof *all);
            *count += used;
        }
    if (all != NULL)
        qsort(all, *count, sizeof *all, compare);
    return all;
}

static bool is_free(void)
{
    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another)
        if (t->free && t->index != IRS_NONE)
            return true;
    return false;
}

static void write_trace(FILE *file)
{
    size_t count, at = 0, event = 0;
    struct entry *all = gather(&count);
    uint64_t begun = 0;
    uint32_t plan = 0;
    bool in_order = true;

    fprintf(file, "{\"format\": \"irs record\", \"version\": 1, \"program\": \"%s\"}\n[%u]\n",
            irs_plan.strings + irs_plan.program, irs_plan.start);
    while (event < count && all[event].site == IRS_NONE)
        event++;
    for (size_t first = event; in_order && event <= count; event++) {
        bool more = event < count;
        /* What a thread has begun but not finished to tell ends the trace. */
        in_order = more && all[event].number == event - first;
        for (; at < first && (!in_order || all[at].instance <= all[event].instance); at++)
            if (all[at].instance == begun + 1) {
                if (all[at].plan != plan)
                    fprintf(file, "[\"relax\", %u]\n", plan = all[at].plan);
                fprintf(file, "[%u]\n", all[at].section);
                begun++;
            }
        if (in_order)
            fprintf(file, "[%u, %u, %u]\n", all[event].thread,
                    irs_plan.site_numbers[all[event].site], all[event].section);
    }
    if (is_free())
        fprintf(file, "[\"free\"]\n");
    free(all);
}

static void write_stats(FILE *file)
{
    uint64_t now = irs_now();

    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another) {
        fprintf(file,
                "{\"thread\": \"%s\", \"events\": %lld, \"waits\": %llu, \"sleeps\": %llu, "
                "\"waited_ns\": %llu, \"longest_wait_ns\": %llu, \"run_ns\": %llu, "
                "\"fibers\": %s, \"deadlocked\": %s, \"executed\": {",
                t->name, (long long)t->done, (unsigned long long)t->waited,
                (unsigned long long)t->slept, (unsigned long long)t->waited_ns,
                (unsigned long long)t->longest_ns, (unsigned long long)(now - started),
                irs_fibers ? "true" : "false", irs_deadlocked ? "true" : "false");
        for (uint32_t i = 0; i < irs_counters; i++)
            fprintf(file, "%s\"%s\": %llu", i ? ", " : "", irs_counter_texts[i],
                    (unsigned long long)t->executed[i]);
        fprintf(file, "}}\n");
    }
}

static void write_records(void)
{
    FILE *file;

    if (trace_file != NULL && (file = open_file(trace_file)) != NULL) {
        write_trace(file);
        close_file(file, trace_file);
    }
    if (stats_file != NULL && (file = open_file(stats_file)) != NULL) {
        write_stats(file);
        close_file(file, stats_file);
    }
    if (report_file != NULL && (file = open_file(report_file)) != NULL) {
        irs_write_outcome(file);
        close_file(file, report_file);
    }
}

/* Whoever comes second, as the process ends, waits until the first one is done. */
void irs_write_records(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, write_records);
}
