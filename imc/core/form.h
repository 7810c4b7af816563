/* A program in its compact form, copied and checked: what a machine may rely on. */
#ifndef IMC_FORM_H
#define IMC_FORM_H

#include <stdint.h>

#include "core.h"

enum { WIDTH = 5, FUNCTION_WIDTH = 5 };
enum { F_OBJECT, F_FIRST_PC, F_PARAMETER, F_LINK, F_LOCALS };

/* Opcodes, as imc/compact/opcodes.py has them. */
enum {
    JUMP, MOVE, BRANCH, ADD, SUB, EQ, NE, SLT, SLE, ULT, ULE, LOAD, STORE, INDEX, INDEX32, OFFSET,
    SEXT, TRUNC, CALL, RETURN, MUL, AND, OR, XOR, SHL, LSHR, ASHR, UDIV, UREM, SDIV, SREM, SELECT,
    SWITCH, FORGET, FREEZE, OVERFLOWS, ALLOCATE, BEGIN, ASSUME, ASSERT, FAIL, STOPS, ATOMIC_END,
    SELF, HEAP, FREE, UPDATE, EXCHANGE, FILL, COPY, END, DISPATCH, PERFORM, RESUME,
    LAST_LOCAL = RESUME,
    VISIBLE = 64, VISIBLE_LOAD = 64, VISIBLE_STORE, VISIBLE_UPDATE, VISIBLE_EXCHANGE,
    VISIBLE_RETURN, VISIBLE_FREE, INPUT, SPAWN, JOIN, THREAD_EXIT, EXIT, ABORT, ATOMIC_BEGIN,
    MUTEX_INIT, MUTEX_DESTROY, MUTEX_LOCK, MUTEX_TRYLOCK, MUTEX_UNLOCK, SPIN_INIT, SPIN_LOCK,
    SPIN_TRYLOCK, SPIN_UNLOCK, COND_INIT, COND_WAIT, COND_SIGNAL, COND_BROADCAST, SEM_INIT,
    SEM_WAIT, SEM_POST, BARRIER_INIT, BARRIER_WAIT, DESTROY, DETACH, VISIBLE_PERFORM,
    LAST_VISIBLE = VISIBLE_PERFORM
};

/* Bits of properties. */
enum {
    ASSERTION = 1, DEADLOCK = 2, LIVELOCK = 4, MEMORY = 8, LOCK = 16, DIVISION = 32, ABORTS = 64,
    UNINITIALISED = 128, OVERFLOW = 256, RACE = 512, TERMINATION = 1024
};

/* Bits of notes about records. */
enum {
    IN_LOOP = 1,      /* a thread may come back to it */
    BEGINS = 2,       /* the first record of its instruction */
    COMPUTES = 4,     /* of an instruction that only computes in registers */
    LOADS = 8,        /* of a load from memory */
    HARMLESS = 16,    /* arithmetic that cannot go wrong */
    WAITS = 32,       /* of an instruction that may have to wait */
    FIXED = 64,       /* a load or store, which does the same in any order */
    OBSTRUCTED = 128, /* before it lies an instruction that has no record, and is not foreseen */
    ASSUMES = 256     /* of a step that may come to an assumption */
};

enum { KIND_OTHER, KIND_GLOBAL, KIND_CONSTANT, KIND_FUNCTION, KIND_STACK, KIND_HEAP, KIND_TLS,
       KIND_LIBRARY };

typedef struct {
    int64_t *at;
    int64_t length;
} numbers;

typedef struct {
    numbers code, sites, functions, tables, operands, objects, live, arguments, arguments_defined;
    numbers registers, registers_defined, cells, cells_defined, layout;
    numbers kinds, functions_known, inputs, notes, properties;
    int64_t records, function_count;
    int64_t entry, persistent, variables, statics, allocated, end_of_thread;
    int64_t checked, thread_limit, largest;
    int64_t *function_of; /* by object: the number of a function, or -1 */
} form;

/* Copies and checks; answers 0, or why not (a number that is not 0). */
int form_load(form *, const core_form *);
void form_free(form *);

static inline const int64_t *record_of(const form *f, int64_t pc) {
    return f->code.at + WIDTH * pc;
}
static inline const int64_t *function_of(const form *f, int64_t number) {
    return f->functions.at + FUNCTION_WIDTH * number;
}

#endif
