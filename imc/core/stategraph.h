/* States and steps as numbers, to see whether threads may go round for ever without effect. */
#ifndef IMC_STATEGRAPH_H
#define IMC_STATEGRAPH_H

#include "budget.h"

typedef struct {
    uint32_t source, target;
    uint32_t before, after; /* where its thread stands, without the names of objects */
    uint8_t thread, flags;
} graph_step;

typedef struct {
    graph_step *steps;
    int64_t count, room;
} stategraph;

/* Of steps: a sure effect; another round of a loop without an exit; anything is written. */
enum { HAS_EFFECT = 1, SERVES = 2, WRITES = 4 };

void stategraph_add(stategraph *, budget *, graph_step);
/* How many states the largest part has, of those that were looked at, in which one can go round
 * fairly by steps without a sure effect; 0 if there is no such part. `is_void`: states to leave out. */
int64_t stategraph_fair_part(stategraph *, budget *, int64_t states, const uint8_t *is_void);
void stategraph_free(stategraph *);

#endif
