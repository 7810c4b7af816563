/*
 * What ran, if somebody asks: IRS_TRACE=FILE, one event per line in the order in which they
 * happened; IRS_STATS=FILE, counts of events, waits and sleeps, one thread per line.
 */
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

struct entry {
    uint64_t number;
    uint32_t site, section;
};

struct irs_trace {
    struct irs_trace *before;
    _Atomic size_t used;
    struct entry entry[CHUNK];
};

static const char *trace_file, *stats_file;
static _Atomic uint64_t order;
static uint64_t started;

static const char *named(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && *value ? value : NULL;
}

void irs_start_records(void)
{
    trace_file = named("IRS_TRACE");
    stats_file = named("IRS_STATS");
    irs_measured = stats_file != NULL;
    started = irs_now();
    if (trace_file != NULL)
        for (size_t i = 0; i < irs_plan.event_count; i++)
            irs_plan.events[i].flags |= IRS_RECORD;
}

/* While the operation is going on: so the numbers are in an order that the gates permit. */
void irs_record(struct irs_thread *self, uint32_t site)
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
    chunk->entry[used] = (struct entry){atomic_fetch_add(&order, 1), site, self->section};
    atomic_store_explicit(&chunk->used, used + 1, memory_order_release);
}

struct line {
    uint64_t number;
    const struct irs_thread *thread;
    uint32_t site, section;
};

static int by_number(const void *left, const void *right)
{
    uint64_t a = ((const struct line *)left)->number, b = ((const struct line *)right)->number;

    return (a > b) - (a < b);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        irs_say("cannot write %s: %s", path, strerror(errno));
    return file;
}

static void write_trace(FILE *file)
{
    size_t count = 0, room = atomic_load(&order), events = 0;
    struct line *lines = malloc((room + 1) * sizeof *lines);

    if (lines == NULL)
        irs_say("no memory to write the trace");
    for (struct irs_thread *t = atomic_load(&irs_threads); t && lines; t = t->another)
        for (struct irs_trace *c = atomic_load((_Atomic(struct irs_trace *) *)&t->trace); c;
             c = c->before)
            for (size_t i = 0, n = atomic_load(&c->used); i < n && count < room; i++)
                lines[count++] = (struct line){c->entry[i].number, t, c->entry[i].site,
                                               c->entry[i].section};
    if (lines != NULL)
        qsort(lines, count, sizeof *lines, by_number);
    for (; events < count && lines[events].number == events; events++)
        fprintf(file, "{\"thread\": \"%s\", \"site\": %u, \"section\": %u}\n",
                lines[events].thread->name, irs_plan.site_numbers[lines[events].site],
                lines[events].section);
    free(lines);
}

static void write_stats(FILE *file)
{
    uint64_t now = irs_now();

    for (struct irs_thread *t = atomic_load(&irs_threads); t; t = t->another) {
        fprintf(file,
                "{\"thread\": \"%s\", \"events\": %lld, \"waits\": %llu, \"sleeps\": %llu, "
                "\"waited_ns\": %llu, \"run_ns\": %llu, \"executed\": {",
                t->name, (long long)t->done, (unsigned long long)t->waited,
                (unsigned long long)t->slept, (unsigned long long)t->waited_ns,
                (unsigned long long)(now - started));
        for (uint32_t i = 0; i < irs_counters; i++)
            fprintf(file, "%s\"%s\": %llu", i ? ", " : "", irs_counter_texts[i],
                    (unsigned long long)t->executed[i]);
        fprintf(file, "}}\n");
    }
}

void irs_write_records(void)
{
    static atomic_flag written = ATOMIC_FLAG_INIT;
    FILE *file;

    if (atomic_flag_test_and_set(&written))
        return;
    if (trace_file != NULL && (file = open_file(trace_file)) != NULL) {
        write_trace(file);
        fclose(file);
    }
    if (stats_file != NULL && (file = open_file(stats_file)) != NULL) {
        write_stats(file);
        fclose(file);
    }
}
