/* What all searches share: the path, limits, callbacks, executions that have hit bounds. */
#ifndef IMC_SEARCH_H
#define IMC_SEARCH_H

#include <time.h>

#include "context.h"
#include "events.h"
#include "keys.h"

/* A way that a step can go: what the environment chooses. */
typedef struct {
    int thread, count;
    int64_t choices[MOST_CHOICES];
} way;

typedef struct {
    way *all;
    int64_t count, room;
} ways;

typedef struct search {
    core *c;
    machine *m;
    budget *b;
    core_request q;
    core_result r;
    keys k;
    events e;
    jmp_buf out;
    int64_t patience; /* steps until the clock is looked at */
    struct timespec last;
    int32_t *path; /* events, from the program's start on */
    int64_t length, path_room;
    table bound_keys;
    int64_t *bounds; /* traces, one after the other: length, then numbers */
    int64_t bounds_count, bounds_length, bounds_room;
    sequence words;
    obstacle obstacles[MOST_THREADS]; /* of the threads that cannot move, where the search is */
    uint64_t blocked;                 /* these threads, as bits */
    void *own; /* what one kind of search has besides, and how that is freed */
    void (*free_own)(void *);
    void (*estimate)(struct search *); /* of how much is left; may be NULL */
} search;

_Noreturn void search_end(search *, int end);
/* One more step is about to be taken: looks at limits, and now and then at the clock. */
void search_tick(search *);
/* Between two steps: the search may rest here, and begin again behind it. */
void search_rest(search *);
/* What a step of the machine has come to: ends the search where that is not a state. */
void search_check(search *, int result);
/* Ways that a thread's next step can go, in order; -1 if it is blocked, for the reason that is
 * then in the machine. With thread -1: ways in which the program can start. */
int search_ways(search *, int thread, ways *);
/* All steps that are possible where the search is, threads in order; why the others cannot move is
 * in `obstacles`. */
void search_moves(search *, ways *);
/* Takes a step that is known to be possible, and answers its event. */
int32_t search_take(search *, const way *, int *faulty);
/* The same, for those who want to know no more of the event than who chose what. */
int32_t search_pass(search *, const way *, int *faulty);
void search_push(search *, int32_t event);
int64_t path_words(search *, int64_t length, int64_t *to, int64_t room);
/* Whether threads wait for one another in a circle. */
int waits_in_circle(const search *);
/* Whether everything has ended as it should. */
int is_complete(const machine *);
int is_stopped(const search *);
void search_free(core *);

/* count.c, states.c, dpor.c, graph/trust.c */
void count_executions(search *);
void visit_states(search *);
void explore(search *);
void explore_graphs(search *);

#endif
