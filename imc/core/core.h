/* The native core's C interface: what Python calls by ctypes.
 *
 * Everything hangs on one context, so several can run side by side in one process. Calls come in
 * this order: core_new; then core_start and steps of the machine, or one of the searches, which
 * calls back now and then; core_free. No call keeps a pointer that it was given, but the callback's.
 */
#ifndef IMC_CORE_H
#define IMC_CORE_H

#include <stdint.h>

#if defined(_WIN32)
#define CORE_API __declspec(dllexport)
#else
#define CORE_API __attribute__((visibility("default")))
#endif

#define CORE_VERSION 3

typedef struct core core;

/* Asked to perform an instruction by the model: what is asked, and room for the answer, as numbers
 * (imc/core/hosting.py); answers how many they are, -1 where it cannot be told so. */
typedef int64_t core_ask(void *, const int64_t *asked, int64_t length, int64_t *reply, int64_t room);

/* An array of the form; `length` counts its elements. */
typedef struct {
    const int64_t *at;
    int64_t length;
} core_array;

/* A program in its compact form (imc/compact/form.py), and what its settings say. Undefined values
 * are told apart by the arrays whose names end in `defined`. */
typedef struct {
    core_array code, sites, functions, tables, operands, objects, live, arguments;
    core_array registers, registers_defined, cells, cells_defined, layout;
    core_array arguments_defined;
    core_array scalars;   /* entry, persistent, variables, statics, allocated, end of thread */
    core_array kinds;     /* of the objects that there are at the start, by number */
    core_array functions_known; /* objects of functions that the program has, not all in the form */
    core_array inputs;    /* what an input may be */
    core_array settings;  /* properties as bits, limit of threads, bytes of the largest object, flags */
    core_array notes;     /* for each record: what the engines want to know of it, as bits */
    core_array properties; /* by text of the form: the bit of a property, or 0 */
} core_form;

/* How a step ends. */
enum {
    CORE_MOVED,
    CORE_BLOCKED,
    CORE_FAULTY,
    CORE_NEEDS_CHOICE,
    CORE_NOT_COMPACT,
    CORE_OUT_OF_SIGHT,
    CORE_OUT_OF_MEMORY
};

/* What is asked of a search. `tick` is called a few times a second; an answer other than 0 stops
 * the search. `ended` is asked at executions whose threads may go round for ever. */
typedef struct {
    int64_t algorithm;
    int64_t flags;
    int64_t most_steps, most_executions, most_states; /* 0: as many as there are */
    int64_t most_bytes;
    int64_t rest_at; /* steps of the machine after which the search rests; 0: it does not */
    int (*tick)(void *);
    int (*livelock)(void *, const int64_t *steps, int64_t length, int64_t rounds);
    void *whom;
} core_request;

enum { CORE_COUNT, CORE_STATES, CORE_SOURCE, CORE_OPTIMAL, CORE_AWAIT, CORE_EXECUTION_GRAPHS };
enum { CORE_PURE = 1, CORE_AWAITS = 2, CORE_GRAPH = 4, CORE_TRACES = 8, CORE_LAPOR = 16 };

/* How a search ends. */
enum {
    CORE_DONE,      /* all has been explored */
    CORE_FAULT,     /* the trace leads to a fault */
    CORE_DEADLOCK,  /* the trace leads to threads that cannot move, or wait in a circle */
    CORE_STOPPED,   /* by the callback */
    CORE_STEPS,     /* limits */
    CORE_EXECUTIONS,
    CORE_STATES_LIMIT,
    CORE_MEMORY,
    CORE_REFUSED,   /* the form does not do: the model has to be asked */
    CORE_UNSEEN,    /* memory is touched out of sight */
    CORE_ENDLESS,   /* executions that do not end */
    CORE_RESTS      /* it has not ended, and goes on when it is run again */
};

typedef struct {
    int64_t end;
    int64_t complete, blocked, endless, traces, duplicates, states, redundant;
    int64_t race_checks, dependency_checks, final_states, events;
    int64_t may_hang;  /* states that threads may go round in fairly, without a sure effect */
    int64_t bytes;     /* of memory that the search has taken */
    int64_t steps;     /* ticks of the clock, as the Python engines count them */
    int64_t work;      /* steps of the machine, those included that were only tried */
    int64_t expected_millis; /* expected executions for one that is done, in thousandths */
} core_result;

CORE_API int64_t core_version(void);
CORE_API core *core_new(const core_form *form);
CORE_API void core_free(core *);
/* A context serves one search; one that rests is run again. Counting executions does not rest. */
CORE_API int64_t core_run(core *, const core_request *, core_result *);
/* The figures so far, while a search runs. */
CORE_API void core_progress(core *, core_result *);
/* The execution that a search has stopped in: for each step its thread, how many choices, they. */
CORE_API int64_t core_trace(core *, int64_t *to, int64_t room);
/* Executions that have hit a bound: so many; each as a trace. */
CORE_API int64_t core_bounds(core *);
CORE_API int64_t core_bound(core *, int64_t number, int64_t *to, int64_t room);
/* Why the form does not do: a number, and the record at which. */
CORE_API int64_t core_refusal(core *, int64_t *pc);

/* Who performs what the machine has no operations for; it may look at the machine meanwhile. */
CORE_API int64_t core_host(core *, core_ask *, void *whom);
/* An object that is there: bytes, then value, undefined, layout of its cells. 0: it is not there. */
CORE_API int64_t core_object(core *, int64_t number, int64_t *to, int64_t room);
/* How an object of this size was cut into scalars, when it was there. */
CORE_API int64_t core_layout(core *, int64_t number, int64_t size, int64_t *to, int64_t room);
/* What an object is that the program or the library has made; how many objects there are. */
CORE_API int64_t core_identity(core *, int64_t number, int64_t *to, int64_t room);
CORE_API int64_t core_objects(core *);
/* Of each thread its result and five facts; of each active function of a thread where it stands, and its locals. */
CORE_API int64_t core_threads(core *, int64_t *to, int64_t room);
CORE_API int64_t core_frames(core *, int64_t thread, int64_t *to, int64_t room);
CORE_API int64_t core_output(core *);

/* The machine by itself, for those who look at single steps. */
CORE_API int64_t core_start(core *, const int64_t *choices, int64_t count);
CORE_API int64_t core_step(core *, int64_t thread, const int64_t *choices, int64_t count);
CORE_API int64_t core_mark(core *);
CORE_API void core_undo(core *, int64_t mark);
CORE_API int64_t core_running(core *, int64_t *threads);
/* Who started a thread, and how many it had started by then; main, number 0, nobody has started. */
CORE_API int64_t core_parent(core *, int64_t thread, int64_t *nth);
/* The number of the state: the same as before if and only if it is the same state. */
CORE_API int64_t core_state(core *);
/* What the last step was: see imc/core/machine.py for the order of the numbers. */
CORE_API int64_t core_event(core *, int64_t *to, int64_t room);
/* A part of the state, as numbers and whether they are defined. */
CORE_API int64_t core_part(core *, int64_t part, int64_t *to, int64_t *defined, int64_t room);

#endif
