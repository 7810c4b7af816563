/* States and steps as numbers, to see whether threads may go round for ever without effect. */
#ifndef IMC_GRAPH_H
#define IMC_GRAPH_H

#include "budget.h"

typedef struct {
    uint32_t *sources, *targets;
    uint8_t *threads; /* of steps; the highest bit: it has an effect, for certain */
    int64_t count, sources_room, targets_room, threads_room;
} graph;

enum { HAS_EFFECT = 0x80 };

void graph_add(graph *, budget *, int64_t source, int64_t target, int thread, int effect);
/* How many states the largest part has, of those that were looked at, in which one can go round
 * fairly by steps without a sure effect; 0 if there is no such part. `is_void`: states to leave out. */
int64_t graph_fair_part(const graph *, budget *, int64_t states, const uint8_t *is_void);
void graph_free(graph *);

#endif
