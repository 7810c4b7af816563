/* Execution graphs under sequential consistency, and their exploration after TruSt (Kokologiannakis,
 * Marmanis, Gladstein, Vafeiadis: "Truly stateless, optimal dynamic partial order reduction", POPL
 * 2022): one graph at a time, no execution twice, nothing remembered.
 *
 * A graph is kept as one of its linearisations, which the machine runs: what a step does is always
 * what the machine does in a real execution (of the program without mutual exclusion, where sections
 * of locks are left unordered: see sections.c). Where each read has its value from and the order of
 * writes follow from the sequence. What has been begun and is still to be visited is a stack of
 * graphs, each of which knows nothing of the others. */
#ifndef IMC_GRAPH_H
#define IMC_GRAPH_H

#include "../search.h"
#include "../traces.h"

/* What an event is to the others. */
enum { BY_ITSELF, READS, WRITES_PLACE, TAKES_LOCK, GIVES_LOCK };

enum {
    MAXIMAL = 1, /* it has read the last write there was, was the last write, chose nothing else */
    HALF = 2,    /* of a step that reads and writes: these are two events, the write comes later */
    HANGS = 4,   /* a read at which its thread has to wait */
    EXITS_ALL = 8,
    LOOSE = 16,  /* it touches more than its place */
    FRESH = 32,  /* it has not been run yet */
    ENDS_OBJECTS = 64, /* what others may have pointers to */
    FAILED = 128       /* its thread cannot go on; but no execution comes here */
};

typedef struct {
    int32_t step;   /* the number of the machine's event; -1: none is run for it */
    int32_t asked;  /* of an event with its choices; -1: there are none */
    int32_t place;  /* number of a location; -1 none */
    int32_t source; /* of a read: the stamp of the write, -1 is how memory was at first */
    int32_t failed; /* the machine's event of a step that goes wrong where no execution is known to come */
    int32_t stamp;  /* when it was added, as a number: the order of events for the algorithm */
    int16_t thread, index;
    int16_t spawned, joined; /* threads, -1 none */
    uint8_t kind, flags;
} node;

typedef struct graph {
    int32_t count, width, room;
    int32_t broken;   /* mutual exclusion does not allow it: a revisit may mend that */
    node *at;         /* in an order in which they can happen, exits last */
    uint16_t *porf;   /* by event, how many events of each thread must have been: what it needs */
    uint16_t *before; /* and all that come before it: with the order of accesses to one place */
} graph;

/* Where accesses meet. */
typedef struct {
    uint32_t object;
    int64_t offset, size;
} location;

typedef struct {
    int32_t kind, place;
    int live, sleeps; /* sleeps: it will be live when another thread has ended */
    int32_t joins;
} next_step;

typedef struct {
    int32_t step;
    int32_t forced;
    int64_t mark;
} ran;

/* A section of a lock: positions of its events, -1 for the last one of a section that is open. */
typedef struct {
    int32_t lock, first, last;
    int thread, is_open;
} section;

/* Why a search begins anew: there are more threads than clocks have; locks have to be ordered. */
enum { RESTART_WIDER = 1, RESTART_STRICT };

typedef struct explored {
    search *s;
    jmp_buf restart;
    machine *m;
    budget *b;
    int width, relaxes; /* clocks have so many threads; locks are left unordered */
    graph **stack;
    int64_t depth, stack_room;
    graph *now; /* the one that is visited */
    graph *made, *kept, *half_made; /* in the making */
    table places;
    location *locations;
    int64_t location_room;
    int one_place; /* all synchronisation meets at one place */
    /* What the machine has run, from the program's start on. */
    ways starts, found;
    int64_t next_start, start_mark, start_end; /* marks in the log before and after it */
    int32_t start_step;
    ran *run;
    int64_t run_count, run_room;
    /* Scratch: by place, by thread, by stamp. */
    int32_t *last_write;
    uint16_t *readers;
    int64_t place_room, reader_room, stamp_room, order_room, rank_room;
    int32_t last_of[MOST_THREADS], spawned_at[MOST_THREADS];
    int32_t *by_stamp, *order, *rank;
    uint8_t *keep;
    int64_t keep_room;
    traces t;
    section *sections;
    int64_t section_count, section_room;
    uint16_t *locked; /* clocks with the order of sections */
    int64_t locked_room;
    int32_t *edges; /* pairs of positions: the end of a section and the beginning of another */
    int64_t edge_count, edge_room;
    int32_t *topological;
    int64_t topological_room;
    uint8_t *kept_events; /* while faults are looked at */
    void *requests;       /* while circles are looked for */
    table tried;        /* of a graph that is looked at: what may be left of it */
    uint8_t *may_write; /* by record: whether the code from there on writes */
} explored;

/* graph.c */
graph *graph_new(explored *, int32_t room);
void graph_free(explored *, graph *);
/* A copy with one more event, before all that comes after the event at `before` (-1: at the end). */
graph *graph_with(explored *, const graph *, node, int32_t before);
void graph_order(explored *, graph *);
/* The event of a stamp; by_stamp must be of this graph. */
void graph_stamps(explored *, const graph *);
int32_t graph_last(const graph *, int thread);
const uint16_t *past_of(const graph *, int thread, int needed);

static inline const uint16_t *porf_of(const graph *g, int32_t p) { return g->porf + p * g->width; }
static inline const uint16_t *before_of(const graph *g, int32_t p) {
    return g->before + p * g->width;
}
/* Whether the event at a position is in what the clock counts. */
static inline int within(const graph *g, int32_t p, const uint16_t *clock) {
    return clock[g->at[p].thread] > g->at[p].index;
}
static inline int is_read(const node *n) {
    return n->kind == READS || n->kind == TAKES_LOCK || n->kind == GIVES_LOCK;
}

/* steps.c */
int32_t place_at(explored *, uint32_t object, int64_t offset, int64_t size);
next_step step_of(explored *, const graph *, int thread);
void touches(explored *, node *);

/* replay.c */
/* Runs the graph, and tells fresh events from what they do. 0: other graphs stand for this one. */
int replay(explored *, graph *);
/* Runs some of the events in an order, as the program does it by itself. */
int replay_in_order(explored *, const graph *, const int32_t *order, int64_t count);
void replay_back(explored *, int64_t count);
void show_path(explored *);
/* Leaves the program to others. */
_Noreturn void not_in_graphs(explored *);

/* sections.c */
void find_sections(explored *, const graph *);
void begin_edges(explored *, const graph *);
void add_edge(explored *, int32_t from, int32_t to);
/* Whether mutual exclusion may allow a graph: it does not if its sections are in each other's way. */
int is_lock_consistent(explored *, const graph *);
/* Whether it does; the edges that there are have to be kept. `topological` is an order of events. */
int order_exactly(explored *, const graph *);

/* What must have been (a clock), with sections that it cuts closed where the graph has them closed and
 * no more than `most` events of each thread are needed for it. */
void close_sections(explored *, const graph *, uint16_t *clock, const uint16_t *most);

/* hope.c */
int has_hope(explored *, const graph *);
graph *graph_kept(explored *, const graph *, const uint8_t *keep);

/* circles.c */
void look_for_deadlocks(explored *, const graph *);

/* trust.c */
void push_graph(explored *, graph *);

/* ends.c */
void look_at_end(explored *, const graph *);
void look_at_loose(explored *, const graph *);
_Noreturn void cannot_be(explored *);
/* A step has gone wrong; returns if no execution comes to it. */
void tell_fault(explored *, const graph *, int32_t position);
/* The same for all that have not been told yet: sections that were in the way may be closed now. */
void look_at_failures(explored *, const graph *);

#endif
