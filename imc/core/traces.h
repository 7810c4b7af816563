/* Mazurkiewicz traces: a canonical form of an execution's happens-before order, by vector clocks.
 * As imc/explorer/traces.py: events get their clocks when somebody asks. */
#ifndef IMC_TRACES_H
#define IMC_TRACES_H

#include "search.h"

typedef struct {
    table stamps, known;
    int32_t *clocks; /* of positions, MOST_THREADS each */
    int64_t clock_room;
    uint32_t *numbers;
    int64_t number_room, stamped;
    sequence words;
} traces;

/* The path has been shortened to so many events. */
void traces_shorten(traces *, int64_t length);
/* The number of the path's trace; a new one is the next. */
int64_t trace_number(traces *, search *);
void traces_free(traces *);

#endif
