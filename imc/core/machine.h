/* The machine: a program at one point of its execution, and the log that leads back. */
#ifndef IMC_MACHINE_H
#define IMC_MACHINE_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "form.h"
#include "table.h"

/* A word of 64 bits, or (u) nothing that anybody has written. */
typedef struct {
    uint64_t v, u;
} value;

#define UNDEFINED ((value){0, 1})
#define NUMBER(n) ((value){(n), 0})

/* What can be logged: first words, then plain numbers. Registers of all threads are one part. */
enum {
    CELLS, REGISTERS, RESULTS, EXIT_CODE,
    LIMITS, ROOM, FIRST, DEPTH, /* of objects; of the library's own, how many bytes are in use */
    PCS, STATUS, EVENTS, SPAWNS, ALLOCATED, PHASE, SCRATCH, PAUSED, DETACHED, JOINED, REASON, EXTRA,
    SEEN,
    KEY,        /* of a thread's part of the state, 0: not known */
    STATIC_KEY, /* of all variables */
    PARTS
};
#define FIRST_NUMBER LIMITS
#define FIRST_OF_THREAD PCS

typedef struct {
    uint32_t part; /* twice, + 1 if nothing was there */
    uint32_t index;
    uint64_t old;
} entry;

enum { MOST_THREADS = 64, MOST_OBJECTS = 1 << 18, MOST_CELLS = 1 << 22, MOST_JUMPS = 1000 };
enum { MOST_RECORDS = 1 << 26 }; /* of a step, whatever its loops are */
enum { MOST_CHOICES = 12, MOST_TOGETHER = 8, MOST_ACCESSES = 4096 };
enum { ABSENT = -1, RUNNING = 0, DONE = 1, STUCK = 2 };
enum { READ, WRITE, SHARE, POST, ARRIVE, ADDS };
enum { GONE = -1 };
enum { LIBRARY_OWNS = -2 }; /* owner of what the program must not free */
enum { OWN_SITE = 1 << 25 };
enum { EXITS = -1, ENDS = -2, AGAIN = -3 };
#define SHIFT 32
#define BASE 65536u
#define LOW 0xffffffffu
/* A cell of no object: what the program has printed, as a number. */
#define OUTPUT_CELL(m) ((m)->f->cells.length)

typedef struct {
    uint32_t object;
    int32_t mode, atomic;
    int64_t offset, size;
    value held;
    int32_t tells; /* whether `held` says what was read or written */
} access_t;

/* Kinds of notes, as imc/compact has them. */
enum {
    STARTS = 1, INPUT_OF, JOINS, WAKES, WAKES_ALL, ARRIVES, ARRIVES_LAST, LEAVES, WAKES_NOBODY,
    UNSIGNALLED, GIVES_BACK, HAS_AGAIN, TOLD
};

/* What a thread waits for; see imc/core/machine.py for the words. */
enum { NOTHING, FOR_END, FOR_ASSUMPTION, FOR_MUTEX, FOR_SPIN, FOR_SIGNAL, FOR_SEMAPHORE,
       FOR_BARRIER, FOR_VALUE };

typedef struct {
    int what, stable;
    int has_pointer;
    uint64_t pointer;
    int holder; /* -1: nobody */
} obstacle;

/* What a copy brings to a cell, while others are still looked at. */
typedef struct {
    int64_t cell;
    value now;
} arrival;

typedef struct host host; /* who performs what has no operation */

typedef struct machine {
    const form *f;
    budget *b;
    host *host;
    /* The state. */
    value *words[FIRST_NUMBER];
    int64_t *numbers[PARTS];
    int8_t *layout;
    int64_t cells, objects, threads; /* how many there are */
    int64_t discovered;              /* scalars among the variables */
    /* What is known of all executions. */
    int8_t *kinds;
    int8_t *zeros;    /* whether a dynamic object is filled with zeros; -1: not known yet */
    int8_t *kept;     /* whether it is no dynamic object, and part of a state for what is in it */
    int32_t *owners;  /* threads of dynamic objects, -1 of others */
    uint64_t *uses;   /* of each object, four sets of threads: read, written, both out of sight */
    table identities, regions, children, reasons;
    int64_t *region_starts; /* the first cells of regions */
    int64_t region_room;
    arrival *arrivals; /* of a copy, while it is made */
    int64_t arrival_room;
    /* The log. */
    entry *log;
    int64_t log_length, log_room;
    /* The step. */
    int thread, mover;
    int64_t at, origin;
    int atomic, jumps;
    const int64_t *choices;
    int given, chosen, wanted; /* choices: how many there are, were used, one is of how many */
    int64_t used[MOST_CHOICES];
    access_t *accesses;
    int access_count;
    int spawned[MOST_TOGETHER], joined[MOST_TOGETHER], started[MOST_TOGETHER];
    int spawned_count, joined_count, started_count;
    uint64_t acquired[MOST_TOGETHER];
    int acquired_count;
    int tries, wakes, exits;
    int has_effect; /* on the world, as far as the model has performed it */
    int serves; /* another round of a loop without an exit has begun */
    int note, was_paused;
    int64_t noted;
    obstacle blocked;
    int fault;      /* the bit of a property */
    int fault_thread;
    int64_t refused, refused_at;
    int bounded;    /* a bound was hit in this step: a number of its kind and place */
    uint64_t bound_key;
    uint32_t unseen[512];
    int unseen_count;
    int any_spawned;
    int stepping;    /* what is raised ends the step; else it goes outside */
    jmp_buf raised, outside;
} machine;

/* Reasons to leave a program to the model; imc/core/machine.py has the words. */
enum {
    SEVERAL_CUTS = 1, FILLED_IN_PARTS, FAR_ADDRESS, LARGE_INDEX, LARGE_MEMORY, LONG_LOOP,
    LOCK_NOT_INITIALISED, THREAD_ATTRIBUTES, UNKNOWN_FUNCTION, TOO_MANY_THREADS, PARTLY_UNDEFINED,
    NUMBER_OR_ADDRESS, COPY_GOES_WRONG, PART_COPIED, PART_FILLED, NOT_ZEROS, NO_ATTRIBUTES,
    NO_COUNT, FULL_SEMAPHORE, TOO_MUCH_AT_ONCE, ODD_FORM, NUMBER_LIKE_ADDRESS, ENDLESS_INPUTS,
    DYNAMIC_ADDRESS_LEFT, UNCHECKED, CALL_ELSEWHERE, BY_HOST, NOT_IN_GRAPHS
};

/* machine.c */
int machine_init(machine *, const form *);
void machine_free(machine *);
int machine_start(machine *, const int64_t *choices, int count);
int machine_step(machine *, int thread, const int64_t *choices, int count);
void machine_undo(machine *, int64_t mark);
/* As undo, but what is taken back can be done again: both swap the log with the state. */
void machine_back(machine *, int64_t from, int64_t to);
void machine_forth(machine *, int64_t from, int64_t to);
int machine_running(const machine *, int *threads);
int64_t function_at(const form *, int64_t pc);
_Noreturn void refuse(machine *, int why);
_Noreturn void fault(machine *, int property);
/* Whether or not anybody asks for the property. */
_Noreturn void raise_fault(machine *, int property);
_Noreturn void uninitialised(machine *);
_Noreturn void stuck(machine *, int reason, int bounded);
_Noreturn void blocked(machine *, int what, int has_pointer, uint64_t pointer, int holder);
int decide(machine *, value);
int choose(machine *, int count);
void hits_bound(machine *, int kind);
void log_more(machine *);
int new_thread(machine *, int number);
/* Where the thread goes on with what it has to do at its end; -1: it has ended. */
int64_t thread_ends(machine *, int thread);
int64_t leave(machine *, value *r, value result, int64_t link, int64_t function, int64_t to);

enum { REFUTED = 1 }; /* why a thread is stuck: by a failed assumption */
enum { BOUND_INPUT = 1, BOUND_FREEZE, BOUND_STUCK, BOUND_POINTER,
       BOUND_HOST };
enum { LONGJUMP_FAULT = 16, LONGJUMP_STUCK };

static inline void keep(machine *m, int part, int64_t index, uint64_t old, uint64_t undefined) {
    if (m->log_length == m->log_room) log_more(m);
    entry *e = &m->log[m->log_length++];
    e->part = (uint32_t)part * 2 + (uint32_t)(undefined != 0);
    e->index = (uint32_t)index;
    e->old = old;
}

static inline void set(machine *m, int part, int64_t index, int64_t now) {
    int64_t *at = &m->numbers[part][index];
    keep(m, part, index, (uint64_t)*at, 0);
    *at = now;
}

static inline void set_word(machine *m, int part, int64_t index, value now) {
    value *at = &m->words[part][index];
    keep(m, part, index, at->v, at->u);
    *at = now;
}

static inline value *registers_of(const machine *m, int thread) {
    return m->words[REGISTERS] + (int64_t)thread * m->f->registers.length;
}

/* Writes a register of the running thread; those that hold nothing between steps are not logged. */
static inline void put(machine *m, value *r, int64_t reg, value now) {
    if (reg < m->f->persistent)
        keep(m, REGISTERS, (r - m->words[REGISTERS]) + reg, r[reg].v, r[reg].u);
    r[reg] = now;
}

static inline uint64_t object_of(uint64_t pointer) { return pointer >> SHIFT; }
static inline int64_t offset_of(uint64_t pointer) {
    return (int64_t)(pointer & LOW) - (int64_t)BASE;
}
static inline uint64_t pointer_to(uint64_t object) { return (object << SHIFT) + BASE; }

/* memory.c */
value read_cell(machine *, value pointer, int64_t size);
void demand(machine *, value pointer, int64_t size);
void write_cell(machine *, value pointer, int64_t size, value);
/* Gives `size` bytes from a cell on a value, however they are cut. */
void put_cell(machine *, int64_t at, int64_t size, value);
/* Gives a cell another value, whoever it belongs to: always, or where that changes something. */
void change_cell(machine *, int64_t at, value);
void patch_cell(machine *, int64_t at, value);
void touch(machine *, int mode, uint64_t pointer, int64_t size, int atomic, int tells, value);
value moved(machine *, value pointer, int64_t distance);
value indexed(machine *, value pointer, value index, int64_t scale, int wide);
uint64_t allocate(machine *, int kind, int64_t size, int zero);
/* The number of an object, which is a new one the first time. */
int64_t know(machine *, const uint32_t *identity, int length, int kind, int owner);
/* The first cell of an object whenever it has this size; its cells hold a value. */
int64_t region_of(machine *, int64_t number, int64_t size, value);
/* A scalar is met for the first time. */
void discover(machine *, int64_t at, int64_t size);
void copy_cells(machine *, value to, value from, uint64_t size);
void set_bytes(machine *, value to, uint64_t size, uint64_t byte);
void begin_scope(machine *, uint64_t object, int64_t size);
void release(machine *, uint64_t object);
uint64_t hidden(machine *, int what, int thread);
void use_unseen(machine *, uint64_t object, int writes);
void reveal(machine *);
void free_object(machine *, value pointer);
int is_object(const machine *, uint64_t number);

/* pieces.c */
void cut(machine *, int64_t at, int64_t size);
value read_pieces(machine *, int64_t at, int64_t size);
void write_pieces(machine *, int64_t at, int64_t size, value);

/* numbers.c */
value binary(machine *, int op, value x, value y, int bits);
value updated(machine *, int kind, value old, value operand, int bits);
int overflows(int op, value x, value y, int bits, int nsw, int nuw);
int64_t to_signed(uint64_t v, int bits);
void number_is_no_address(machine *, uint64_t v);
void uses_number(machine *, uint64_t v);
void compares_equal(machine *, uint64_t x, uint64_t y);

static inline uint64_t mask_of(int bits) {
    return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

/* local.c */
void run_local(machine *, int thread, int64_t pc);

/* visible.c, locks.c */
int64_t exits(machine *, uint64_t code);
int64_t perform(machine *, value *r, const int64_t *record);
int64_t perform_lock(machine *, value *r, const int64_t *record);
value update_cell(machine *, value pointer, value operand, int64_t table);
int exchange_cell(machine *, value *r, int64_t a, int64_t b, int64_t table, value *old);
int64_t locals_of(const machine *, const value *r, int64_t function, int64_t nth, int64_t *count);

#endif
