/* Who moves next: strategies that differ in how long threads keep their turn. */

#ifndef CHOICE_H
#define CHOICE_H

#include <stdint.h>

#include "threads.h"

#define MOST_CHANGES 3

/* Whose code an instruction is; nobody notices the quiet ones. */
enum place { QUIET_LIBRARY, QUIET, LIBRARY, SYSTEM, OWN };

struct choice {
    uint64_t random;
    enum { BURSTS, RATE, PRIORITIES } kind;
    int current;                  /* whose turn it is, or -1 */
    int coarse;                   /* nobody is interrupted in a library */
    int whole;                    /* nor where threads are made, end and are joined */
    int gathering;                /* threads are still led to where their own code begins */
    int arrived[MOST_THREADS];    /* there */
    long left;                    /* steps that others could notice, to the end of a burst */
    long rate;                    /* a turn ends after one step of so many */
    int rank[MOST_THREADS], last; /* priorities, and the lowest one */
    long change[MOST_CHANGES];    /* steps after which a priority falls */
    long noticed, expected;       /* such steps of this run, and how many there were in others */
    long turn;                    /* steps of a turn; a thread may spin for what another one does */
};

extern struct choice choice;

uint64_t choice_draw(struct choice *c, uint64_t below);

/* A strategy for a run, by the run's number. */
void choice_start(struct choice *c, uint64_t run, long expected);

/* The current thread has made a step. */
void choice_stepped(struct choice *c, enum place where);

/* Whose turn it is now, of those who can move: at least one. */
int choice_next(struct choice *c, const int *ready, int count);

#endif
