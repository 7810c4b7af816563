/* Futexes without the system, so that it is known who waits; whom a wake wakes is left to chance. */

#ifndef FUTEXES_H
#define FUTEXES_H

#include <stdint.h>

/* A thread's call of the system's futex; its result, once the thread has waited if it has to. */
long futex(int me, uint32_t *word, int operation, uint32_t value, long timeout, uint32_t *other);

/* A thread has ended without us: wakes those who wait for what has changed since. */
void futex_look_around(void);

/* Somebody whose wait is limited gives up waiting; whether there was anybody. */
int futex_time_out(void);

#endif
