/* What the files of the run-time share. The program knows nothing of it. */
#ifndef IRS_RUNTIME_H
#define IRS_RUNTIME_H

#include "irs.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

enum irs_next { IRS_END, IRS_FREE, IRS_FOLLOW, IRS_BRANCH, IRS_CHOICE };
enum irs_guard { IRS_ALWAYS, IRS_STOPPED, IRS_CELL };
enum { IRS_RELEVANT = 1, IRS_AHEAD = 2 }; /* marks of a thread in a section, see tables.py */
enum { IRS_FIBERS = 1, IRS_DEMANDED = 2, IRS_ALIKE = 4, IRS_MODES = 7 }; /* see tables.py */
enum { IRS_RING = 1024 };                 /* decisions that the slowest thread may be behind */
enum { IRS_DEVIATION = 5 };

struct irs_section {
    uint32_t kind, argument; /* the section that follows, or the thread that decides */
    uint32_t first_case, cases, first_tail, tails;
};

struct irs_case {
    uint32_t site, guard, section, cell;
    uint64_t low, high;
};

struct irs_pair {
    uint32_t thread;
    int32_t count;
};

/* The schedule, as tables.py lays it out. */
struct irs_plan {
    uint32_t threads, sections, sites, start, overlap;
    uint32_t program; /* its digest, in the strings */
    uint32_t told, arguments; /* to be run with: as one text, then one by one; how many, or any */
    uint32_t mode, active; /* how many threads hand over to each other at a time */
    const uint32_t *thread_names, *site_texts, *site_numbers;
    const struct irs_section *section;
    const struct irs_case *cases;
    const uint32_t *begin, *marks, *tails;
    const int32_t *counts;
    struct irs_event *events;
    const struct irs_pair *waits;
    const char *strings;
    size_t strings_size, event_count;
    /* Schedules that take each other's place, see relax.c. */
    const uint32_t *entries; /* by section of the plan before: where this one goes on, or none */
    uint32_t entry_count, number;
    _Atomic(struct irs_plan *) after;
};

/* How a thread sleeps: until `wanted` of `target` is reached. */
struct irs_park {
    _Alignas(IRS_LINE) _Atomic uint32_t asleep;
    _Atomic uint32_t target; /* a thread, or one of those below */
    _Atomic int64_t wanted;
    _Atomic uint64_t decisions; /* that the thread has walked past; UINT64_MAX: it needs no more */
    _Atomic uint64_t ended_at; /* how many decisions it had walked past when it ended */
    _Atomic uint32_t fate;
    _Atomic int core; /* where it was after its last sleep; -1: it has not slept */
};

enum { /* what else threads wait for: decisions, those who have not read theirs, nothing */
    IRS_AWAKE = IRS_NONE,
    IRS_DECISION = IRS_NONE - 1,
    IRS_FOREVER = IRS_NONE - 2,
    IRS_ROOM = IRS_NONE - 3,
};
enum irs_fate { IRS_UNBORN, IRS_RUNNING, IRS_ENDED, IRS_STUCK };

/* Whether a thread waits at a gate, for another's end, or for ever; or has ended. */
enum irs_rest { IRS_BUSY, IRS_AT_GATE, IRS_JOINS, IRS_HALTED, IRS_OVER };

/* What is not as the schedule has it, in the words of Python threads. */
struct irs_deviation {
    const char *thread, *event;
    uint32_t section;     /* IRS_NONE: before the first one */
    const char *expected; /* NULL: the sites of the section's cases */
    const struct irs_plan *plan; /* of the section */
};

/* A cell of the program's memory that a guard looks at. */
struct irs_cell {
    const void *address;
    uint32_t size;
};

/* Made with the program. */
extern const unsigned char irs_digest[32];
extern const char irs_default_plan[], irs_default_input[];
extern const unsigned char irs_embedded[];
extern const uint64_t irs_embedded_size;
extern const struct irs_cell *const irs_cells[];
extern const uint32_t irs_counters, irs_cell_count;
extern const uint32_t irs_shared_thread_locals; /* whether ends of threads are always events */
extern const char *const irs_counter_texts[];

/* Opens a file that was written with the program: beside it, wherever it is, or where it was made. */
FILE *irs_open_made(const char *path);

extern struct irs_plan irs_plan; /* the first; threads and sites are the same in all */
extern struct irs_count *irs_counts;
extern struct irs_park *irs_parks;
extern const struct irs_event irs_stay;
extern _Atomic int irs_running; /* threads that neither sleep nor have ended */
extern int irs_cores;
extern bool irs_asymmetric;
extern int irs_watchdog_s;

/* plan.c */
bool irs_expects(const struct irs_plan *p, int count, char *const *words);
void irs_load_plan(void);
void irs_read_plan(struct irs_plan *plan, unsigned char *data, size_t size);
/* fibers.c */
extern bool irs_fibers; /* whether threads are fibers; then nothing below waits for the system */
void irs_start_fibers(void);
void irs_add_main_fiber(struct irs_thread *self);
int irs_create_fiber(pthread_t *handle, const pthread_attr_t *attributes, struct irs_thread *fiber);
int irs_join_fiber(struct irs_thread *self, struct irs_thread *other, void **result);
void irs_await_as_fiber(struct irs_thread *self, uint32_t target, int64_t wanted);
void irs_wait_as_fiber(struct irs_thread *self, const struct irs_event *event);
void irs_await_decision_as_fiber(struct irs_thread *self, uint64_t number, uint32_t decider);
void irs_await_reader_as_fiber(struct irs_thread *self, uint32_t reader);
void irs_let_others(struct irs_thread *self);
_Noreturn void irs_end_fiber(void *result);
_Noreturn void irs_leave_for_ever(struct irs_thread *self);
/* relax.c */
enum { IRS_RELAX = IRS_NONE - 1, IRS_DROP = IRS_NONE - 2 }; /* decisions, instead of a section */
extern bool irs_live;
extern _Atomic int irs_relaxing_tid;
void irs_start_relaxing(void);
uint32_t irs_news(const struct irs_thread *self);
void irs_tell_relaxed(const struct irs_thread *self, uint32_t decision);
/* walk.c */
bool irs_has_read(uint32_t reader, uint64_t number);
void irs_walk_to_end(struct irs_thread *self, bool stopped);
void irs_set_free(struct irs_thread *self);
/* wait.c */
void irs_await(struct irs_thread *self, uint32_t target, int64_t wanted);
void irs_await_decision(struct irs_thread *self, uint64_t number, uint32_t decider);
void irs_wake_deciders(uint64_t number, const uint32_t *marks);
bool irs_is_decided_or_ended(uint64_t number, uint32_t decider);
void irs_look_for_stall(void);
_Noreturn void irs_sleep_forever(struct irs_thread *self);
uint64_t irs_now(void);
int64_t irs_progress(void);
extern _Atomic uint64_t irs_ring[IRS_RING];
/* place.c */
void irs_start_places(void);
void irs_choose_place(struct irs_thread *self, uint32_t other, uint64_t now);
void irs_leave_place(struct irs_thread *self);
/* threads.c */
struct irs_thread *irs_new_thread(uint32_t index, const char *name);
void irs_begin_thread(struct irs_thread *self);
void *irs_run_thread(struct irs_thread *self);
void irs_finish_thread(struct irs_thread *self);
int irs_join(pthread_t handle, void **result, bool cancellable);
void irs_run_end(struct irs_thread *self); /* specific.c */
_Noreturn void irs_stop(struct irs_thread *self);
extern _Atomic(struct irs_thread *) irs_threads;
extern _Atomic uint32_t irs_stopped;
/* library.c: an operation of several events is between `begin` and `end` while it has an effect. */
void irs_begin(uint32_t site);
void irs_end(uint32_t site);
/* The schedule promises that nobody has to wait; `format` has a place for the operation. */
_Noreturn void irs_must_wait(uint32_t site, const char *format);
void irs_take_back(const void *handler);
/* Only where nothing is ordered: protects the objects, and tells that one has changed. */
extern pthread_mutex_t irs_guard;
extern pthread_cond_t irs_changed;
/* cancel.c: what belongs to the event in which a thread turns to its end, and what comes after. */
bool irs_can_be_cancelled(const struct irs_thread *self);
bool irs_is_cancelled(const struct irs_thread *self);
void irs_begin_exit(void);
_Noreturn void irs_leave_thread(void *result);
void irs_end_nap(struct irs_thread *other); /* naps.c */
/* watch.c */
void irs_look_for_deadlock(void);
bool irs_all_wait(void);
void irs_describe_in_library(const struct irs_thread *thread, char *line, size_t room);
/* outcome.c */
void irs_note_deviation(struct irs_deviation found);
void irs_note_stall(int seconds);
void irs_write_outcome(FILE *file);
/* report.c */
_Noreturn void irs_deviate(struct irs_thread *self, struct irs_deviation found, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
_Noreturn void irs_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void irs_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *irs_thread_name(uint32_t index);
const char *irs_site_text(uint32_t site);
const char *irs_event_text(uint32_t site);
struct irs_thread *irs_with_handle(uint64_t handle);
void irs_describe_waiting(void (*tell)(void *to, const char *line), void *to);
bool irs_is_one_at_a_gate(void);
void irs_tell_stall(int seconds);
_Noreturn void irs_stall(int seconds);
void irs_check_all_stopped(void);
_Noreturn void irs_give_up(void);
_Noreturn void irs_finish(int status);
/* record.c */
void irs_start_records(void);
void irs_record_section(struct irs_thread *self);
void irs_record_events(struct irs_plan *plan);
extern bool irs_recorded, irs_deadlocked; /* deadlocked: when its time was over */
void irs_write_records(void);

#endif
