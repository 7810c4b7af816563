/* Canonical forms of states, as imc/program/keys.py has them: dynamic objects are named by how they
 * are reached, dead registers and garbage are left out. Parts are kept once (exactly, not by hash),
 * and a state is a short sequence of their numbers. Performance-critical: scripts/bench_explore.py. */
#ifndef IMC_KEYS_H
#define IMC_KEYS_H

#include "machine.h"

/* What the part of a dynamic object was made of, besides its cells. */
typedef struct {
    int64_t number; /* of the part, + 1; 0: none */
    int64_t first, size, limit, depth;
    int32_t owner;
    int8_t kind, zero;
} object_memo;

typedef struct {
    table exact;  /* parts with the numbers of the objects that they refer to */
    table shapes; /* the same without these numbers, of those that refer to any */
    table states, finals;
    int32_t *shape_of;
    int64_t shape_room;
    int64_t *reference_starts; /* of parts, by number */
    int64_t reference_start_room;
    uint32_t *references;
    int64_t reference_count, reference_room;
    sequence part, shape, vector;
    uint32_t *scalars; /* cells of variables that somebody has looked at */
    int64_t scalar_count, scalar_room;
    int8_t *listed;
    value *seen; /* what they held when the part of the variables was made last */
    int64_t seen_room;
    int64_t *tree; /* that part: a leaf has eight of them, a node eight nodes or leaves */
    int64_t first_leaf, leaves;
    object_memo *memos;
    value *seen_cells; /* of dynamic objects, when their parts were made last */
    int8_t *seen_layout;
    uint32_t *names; /* of objects, in the key that is being made; 0: none */
    uint32_t *order;
    int64_t named;
} keys;

int keys_init(keys *, machine *);
void keys_free(keys *);
/* The number of the state: those that have come before have theirs, a new one the next. */
int64_t state_number(keys *, machine *);
/* What is left of a program that has ended, with what it has printed where that is wanted. */
int64_t final_number(keys *, machine *, int with_output);
/* Where a thread is, and what its frames hold that is still looked at. */
int64_t place_of_thread(keys *, machine *, int thread);
/* The same without the names of objects. */
uint32_t shape_of_thread(keys *, machine *, int thread);
/* The same for a thread that stands elsewhere, with other registers. */
int64_t place_with(keys *, machine *, int thread, int64_t pc, const value *r);
/* The thread stands at a place again, where it has been. */
void stand_again(const keys *, machine *, int thread, int64_t place);

#endif
