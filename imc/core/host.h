/* What the model performs for the machine: the question, and taking over the answer in words. */
#ifndef IMC_HOST_H
#define IMC_HOST_H

#include "machine.h"

int host_set(machine *, core_ask *, void *whom);
void host_free(machine *);
/* An instruction that has no operation of its own; the pc that follows, or EXITS, ENDS, AGAIN.
 * `table` has the registers that it looks at; results go to `to` and those behind it. */
int64_t perform_by_model(machine *, value *r, int64_t to, int64_t table, int64_t results, int back);
/* Where a thread goes on that has left its last function; ENDS: nowhere. */
int64_t go_on_at_end(machine *);
/* What the model wants to know, as numbers; how many there are. */
int64_t host_object(const machine *, int64_t number, int64_t *to, int64_t room);
int64_t host_layout(const machine *, int64_t number, int64_t size, int64_t *to, int64_t room);
int64_t host_identity(const machine *, int64_t number, int64_t *to, int64_t room);
int64_t host_threads(const machine *, int64_t *to, int64_t room);
int64_t host_frames(const machine *, int thread, int64_t *to, int64_t room);

#endif
