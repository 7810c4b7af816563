/*
 * The native run-time: every gated operation of the program is enclosed in irs_enter(site) and
 * irs_leave(). A thread knows its next event; it may pass when the events that this one waits for
 * have happened, and tells the others by a count of its own events.
 *
 * Why the program may be optimised after the gates are in: counts are stored with release and
 * loaded with acquire, so whatever a schedule orders happens before in the sense of C11. A schedule
 * orders all conflicting accesses, hence the program has no data race between its gates, and a
 * compiler that keeps C11's rules for atomics keeps the order of everything that matters.
 */
#ifndef IRS_H
#define IRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define IRS_LINE 128 /* two cache lines: neighbours are fetched in pairs */
#define IRS_NONE UINT32_MAX
#define IRS_LIKELY(x) __builtin_expect(!!(x), 1)
#define IRS_RARELY(x) __builtin_expect(!!(x), 0)

enum { /* flags of events */
    IRS_PUBLISH = 1, /* somebody waits for it: the count has to be stored */
    IRS_SEAM = 2,    /* waits for all of the sections before */
    IRS_STAY = 4,    /* no event: the thread is not under gates now */
    IRS_RECORD = 8,  /* somebody wants a trace */
};

/* One event of one thread. Several waits stand in a table, `thread` is the index of the first. */
struct irs_event {
    uint32_t site; /* IRS_NONE: the thread has no more events in the section */
    uint16_t flags;
    uint16_t waits;
    uint32_t thread;
    int32_t count;
};

/* What one thread tells the others; nobody else writes here. */
struct irs_count {
    _Alignas(IRS_LINE) _Atomic int64_t done; /* events, as of the last one that somebody waits for */
    _Alignas(IRS_LINE) _Atomic uint32_t parked; /* how many threads sleep until `done` has grown */
};

/* A routine that runs once, and the one that it was called in. */
struct irs_once {
    uint32_t *control;
    const struct irs_once *outer;
};

struct irs_thread {
    const struct irs_event *next;
    const struct irs_plan *plan; /* that it keeps to now */
    int64_t done;
    int64_t *base; /* of each thread, its events in the sections before the present one */
    int64_t *seen; /* of each thread, what it was last seen to have done */
    struct irs_count *count;
    bool fences; /* whether a store of a count needs a fence; else those who sleep pay for it */
    uint32_t index;
    uint32_t waiter; /* its number in sets of threads that wait, see conditions.c */
    uint32_t section;
    uint32_t previous; /* the last section before that had events */
    uint32_t site;     /* of the operation that is made of several events */
    uint32_t shared;   /* its arguments that lead to memory which others may use, a bit for each */
    void *performed;   /* the library's function that it calls */
    uint32_t depth;    /* of atomic sections */
    uint32_t children;
    uint32_t in_vain, without_spin; /* see worth_spinning */
    uint64_t instance;  /* how many sections the thread has walked past */
    uint64_t decisions; /* how many the thread has walked past */
    const struct irs_event *kept; /* the event that is going on while in an atomic section */
    struct irs_trace *trace;
    uint64_t chance; /* where its inputs by chance have come to */
    const char *name;
    bool free, ungated; /* not under gates any more; in an atomic section without a gate */
    uint64_t waited, slept, waited_ns, longest_ns; /* statistics */
    uint64_t sleeps, woke_ns, looked_at_ns, idle_before_ns; /* see place.c */
    bool placed;
    _Atomic int tid;               /* the system's number of it */
    _Atomic uint32_t rest;         /* how it waits, see runtime.h */
    _Atomic uint64_t handle, joins; /* of itself, and of the thread whose end it waits for */
    uint64_t *executed;                /* how often each counted operation was executed */
    struct irs_thread *another;        /* of all threads that were ever started */
    void *(*routine)(void *);          /* what it runs: one of these two, with the argument */
    int (*standard)(void *);
    void *argument, *result;
    struct irs_value *values;          /* its private data, see specific.c */
    struct irs_once once;              /* the routine that it runs, see library.c */
    uint32_t turn;                     /* of destructors that it has come to */
    _Atomic bool ends;                 /* has come to its last event */
    _Atomic uint32_t cancelled;        /* whether somebody wants it to end, see cancel.c */
    bool exiting;                      /* it is about to: no request disturbs it any more */
    int cancel_state, cancel_type;     /* as it has set them */
    void *handlers;                    /* the last one of pthread_cleanup_push */
    /* For fibers.c. */
    void *stack, *pointer;             /* where it goes on; its thread pointer */
    struct irs_thread *awaited;        /* the one whose end it waits for */
    struct irs_thread *follower;       /* the last one that waited for it */
    uint32_t decider, turns;           /* whom it waits for to decide or to read; sections begun */
    _Atomic uint32_t lent, released;   /* its stack, by and to the system's thread behind it */
};

extern _Thread_local struct irs_thread *irs_self __attribute__((tls_model("local-exec")));

/* Goes on to the next section, or reports a deviation; the event at the site. */
const struct irs_event *irs_turn(struct irs_thread *self, uint32_t site);
/* Waits for all that the event waits for. */
void irs_wait(struct irs_thread *self, const struct irs_event *event);
/* The end of an event that is no ordinary one: nothing to count, or to be recorded. */
void irs_leave_special(struct irs_thread *self, const struct irs_event *event);
/* Wakes those who sleep until this thread has done what it has done now. */
void irs_wake(struct irs_thread *self);

static inline void irs_pass(struct irs_thread *self, uint32_t site)
{
    const struct irs_event *event = self->next;

    if (IRS_RARELY(event->site != site))
        event = irs_turn(self, site);
    if (event->waits == 0)
        return;
    if (event->waits == 1
        && self->seen[event->thread] >= self->base[event->thread] + event->count)
        return;
    irs_wait(self, event);
}

/*
 * Whoever goes to sleep announces it and then looks at the count again; here the count is stored,
 * and then it is looked who sleeps. A store must not pass a load on either side. Unless `fences` is
 * set, those who sleep force a barrier on all threads, and none is needed here but in the compiler.
 */
static inline void irs_publish(struct irs_thread *self, int64_t done)
{
    atomic_store_explicit(&self->count->done, done, memory_order_release);
    if (self->fences)
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
    if (IRS_RARELY(atomic_load_explicit(&self->count->parked, memory_order_relaxed)))
        irs_wake(self);
}

static inline void irs_done(struct irs_thread *self)
{
    const struct irs_event *event = self->next;

    if (IRS_RARELY(event->flags & (IRS_STAY | IRS_RECORD))) {
        irs_leave_special(self, event);
        return;
    }
    self->next = event + 1;
    self->done++;
    if (event->flags & IRS_PUBLISH)
        irs_publish(self, self->done);
}

#endif
