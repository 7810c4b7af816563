/* What is known of a run outside of its process. */

#ifndef RUN_H
#define RUN_H

struct run {
    char end[16];         /* how it has ended, if not by itself */
    long steps, limit;    /* instructions, and how many are too many */
    long switches;        /* from one thread to another */
    long noticed;         /* steps that others could notice */
};

extern struct run *run;

/* Ends the run: "deadlock" or "limit". */
void finish(const char *how) __attribute__((noreturn));

#endif
