/* States and steps as numbers, to see whether threads may go round for ever without effect. */
#ifndef IMC_GRAPH_H
#define IMC_GRAPH_H

#include "budget.h"

typedef struct {
    uint32_t source, target;
    uint32_t before, after; /* where its thread stands, without the names of objects */
    uint8_t thread, flags;
} graph_step;

typedef struct {
    graph_step *steps;
    int64_t count, room;
} graph;

/* Of steps: a sure effect; another round of a loop without an exit; anything is written. */
enum { HAS_EFFECT = 1, SERVES = 2, WRITES = 4 };

void graph_add(graph *, budget *, graph_step);
/* How many states the largest part has, of those that were looked at, in which one can go round
 * fairly by steps without a sure effect; 0 if there is no such part. `is_void`: states to leave out. */
int64_t graph_fair_part(graph *, budget *, int64_t states, const uint8_t *is_void);
void graph_free(graph *);

#endif
