/* The execution that a reducing search is at: what happens before what, and going back in it.
 *
 * Positions are those of events behind the program's start. The log leads back to any of them, and
 * forth again; what is tried there in between is undone. Which events happen before an event is a
 * set of positions. As imc/explorer/execution.py. Performance-critical: scripts/bench_explore.py. */
#ifndef IMC_EXPLORER_H
#define IMC_EXPLORER_H

#include "search.h"
#include "traces.h"

typedef struct {
    int64_t position, offset, size, before; /* before: the object's last one, -1 none */
} touched;

typedef struct {
    int32_t event;
    int32_t first, last, next; /* branches below it, and its next sibling; -1 none */
} branch;

/* An event of a sequence: `bit` is its own position, `past` has those that happen before it. */
typedef struct {
    int32_t event;
    int64_t bit;
    const uint64_t *past;
} planned;

typedef struct {
    planned *all;
    int64_t count, room;
} plan;

/* A prefix of the execution: who sleeps there, and what is to be explored from it. */
typedef struct {
    int64_t sleep;   /* where its sleeping events begin; they end where the next level's begin */
    int32_t node;    /* whose branches are to be explored */
    int32_t begun;
    int64_t done, executions;
    int64_t state;   /* the number of the state, where executions are watched; else -1 */
} level;

/* What a step that was tried came to: events, or why it has to wait. */
typedef struct {
    int32_t *all;
    int64_t count, room;
    int waits;
    obstacle why;
    cell_access accesses[64]; /* that it has looked at before it had to wait */
    int access_count;
} outcomes;

/* What an event that may have to wait has looked at, wherever it was tried. */
enum { MOST_LOOKED = 256 };
typedef struct {
    cell_access all[MOST_LOOKED];
    int64_t count;
} looked;

typedef struct explorer {
    search *s;
    machine *m;
    events *e;
    budget *b;
    int optimal, awaits, pure, awaiting;
    /* The execution. */
    int64_t count, width, room; /* events, words of a set, positions that there is room for */
    int32_t *events;
    int64_t *marks;             /* in the log, before each event */
    uint64_t *past, *own;
    int64_t *previous;          /* position of the thread's last event, -1 none */
    int64_t *race_starts;       /* in `races` */
    int64_t *races, race_room;
    int64_t last_of[MOST_THREADS], spawned_at[MOST_THREADS];
    touched *touches;
    int64_t touch_count, touch_room;
    int64_t *heads; /* of objects, in `touches`, + 1 */
    uint64_t *scratch[6];
    uint64_t *none;
    int64_t end_mark; /* of the log, while the machine is somewhere else */
    /* The search. */
    level *levels;
    int64_t level_count, level_room;
    int32_t *sleeping;
    int64_t sleep_count, sleep_room;
    branch *nodes;
    int64_t node_count, node_room;
    int32_t free_node;
    level root;
    uint8_t *on_path;
    int64_t on_path_room;
    int late; /* threads that hang have been found */
    plan sequence;
    outcomes now, tried;
    outcomes at_end[MOST_THREADS]; /* of threads that cannot move: why */
    ways ways, starts;
    int64_t next_start, start_mark; /* the next one; the log before the one at hand */
    traces t;
    int order[MOST_THREADS], order_count;
    int blocked_order[MOST_THREADS], blocked_count;
    /* Iterations without effect. */
    table seen, answers;
    sequence words;
    uint64_t *choices; /* sets of positions that are still to be tried, or have been */
    int64_t choice_room;
} explorer;

static inline uint64_t *row(uint64_t *rows, int64_t width, int64_t position) {
    return rows + width * position;
}
static inline int has(const uint64_t *set, int64_t position) {
    return (int)(set[position >> 6] >> (position & 63) & 1);
}
static inline void include(uint64_t *set, int64_t position) {
    set[position >> 6] |= 1ull << (position & 63);
}
static inline const event *event_at(const explorer *x, int64_t position) {
    return &x->e->all[x->events[position]];
}
static inline int64_t words_in_use(const explorer *x) { return (x->count >> 6) + 1; }

/* execution.c */
void execution_widen(explorer *);
void execution_push(explorer *, int32_t event, int64_t mark);
void execution_pop(explorer *);
const uint64_t *own_past(const explorer *, int thread);
/* Positions of events that touch one of the cells, as a set; how many words of it there are. */
void touching(explorer *, const cell_access *, int64_t count, uint64_t *found);
void go_back(explorer *, int64_t position);
void go_on_again(explorer *, int64_t position);
/* A thread's next step in the state where the machine is. */
void try_thread(explorer *, int thread, outcomes *);
/* The state after the first `base` events and those chosen; `leave_again` goes back to the end. */
void rerun(explorer *, int64_t base, const uint64_t *chosen);
void leave_again(explorer *, int64_t base);
void step_again(explorer *, int32_t event);
void not_after(explorer *, int64_t position, uint64_t *found);
int64_t highest(const explorer *, const uint64_t *set, int64_t below);
int may_wait(const explorer *, int32_t event);

/* probing.c: a thread's next step after the first `base` events and those chosen, in `tried`. At
 * the position `before` it stands at the step too, and `l` is what it looked at there. */
void probe(explorer *, int64_t base, const uint64_t *chosen, int thread, int64_t before,
           const looked *l);
int is_covered(const cell_access *, const looked *);

/* wakeup.c */
int32_t node_new(explorer *, int32_t event, int32_t parent);
void node_free(explorer *, int32_t node);
int is_redundant(explorer *, int64_t base, const plan *);
void tree_insert(explorer *, int64_t base, plan *);
int commutes(explorer *, int64_t base, int32_t event, const int32_t *taken, int64_t taken_count,
             const plan *);
int same_after(explorer *, int32_t event);

/* reversals.c: calls `found` for each. */
void reversals(explorer *);
void reversal_found(explorer *, int64_t base);

/* awaiting.c */
int64_t place_before(explorer *, int thread);
int goes_round(explorer *, int64_t mark, int64_t old, int faulty);
void look_for_livelock(explorer *);
int was_seen(const explorer *, int64_t seen, int64_t place);
/* Whether what the log has from a mark on leaves anything behind. */
int has_effect(const explorer *, int64_t mark);
enum { LINK_BEFORE, LINK_PLACE, LINK_CELL, CELL_WORDS = 4 }; /* words of the chain of places */
enum { PURE_REASON = 1 << 20 };

/* restarts.c */
void cell_of_step(const machine *, uint32_t *cell);
int leads_here(explorer *, int thread, const uint32_t *cell, int64_t seen, int64_t place);

/* foresight.c */
int looks_ahead(const machine *);
int comes_back(explorer *, int thread, int64_t place, int64_t seen);

#endif
