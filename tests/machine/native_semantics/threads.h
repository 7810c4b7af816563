/* The threads of the program that is stepped through, and whose turn it is. */

#ifndef THREADS_H
#define THREADS_H

#include <stdint.h>

#define MOST_THREADS 16

enum state { READY, WAITING, GONE };

struct thread {
    uint64_t self; /* what tells threads apart: where its register fs leads */
    long id;       /* the system's */
    enum state state;
    uint32_t gone;  /* 1 when it is */
    int go;         /* it is its turn */
    uint32_t *word; /* what it waits for to change */
    uint32_t value; /* from this value */
    int timed;      /* but not for ever */
    long result;    /* of its wait */
    void *(*routine)(void *);
    void *argument;
    uint64_t back; /* where a call returns to that is not stepped through */
};

extern struct thread threads[MOST_THREADS];
extern int thread_count;

/* The system, without a C library. */
long raw(long number, long a, long b, long c, long d);

/* The number of the calling thread; a new one first waits for its turn. */
int thread_self(void);

/* There will be one more thread, which has to call thread_arrive or thread_self. */
struct thread *thread_expect(void);
int thread_arrive(int number);
void thread_await_born(void);

/* How many have not ended. */
int thread_living(void);

/* Others get their turn for as long as the strategy wants it, or the thread has to wait. */
void thread_give_turns(int me);

/* The thread ends at once, without another step. */
void thread_end(int me);

/* Waits until a thread has ended, which `self` tells apart. */
void thread_join(int me, uint64_t self);

#endif
