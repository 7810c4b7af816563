/* Memory that is counted: nothing grows but here, and what has no room ends the search. */
#ifndef IMC_BUDGET_H
#define IMC_BUDGET_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t used, limit; /* bytes; a limit of 0 is none */
    jmp_buf exhausted;
} budget;

/* At least `wanted` elements instead of `*room`, twice as many as before or more. */
void *grow(budget *, void *old, int64_t *room, int64_t wanted, size_t size);
/* So many elements, all zero. */
void *take(budget *, int64_t count, size_t size);

#endif
