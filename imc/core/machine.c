/* One step, and back: as imc/compact/machine.py has it. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------- to be and not to be */

int machine_init(machine *m, const form *f) {
    memset(m, 0, sizeof *m);
    m->f = f;
    int64_t registers = f->registers.length * MOST_THREADS;
    m->words[CELLS] = calloc(MOST_CELLS, sizeof(value));
    m->words[REGISTERS] = malloc((size_t)registers * sizeof(value));
    m->words[RESULTS] = calloc(MOST_THREADS, sizeof(value));
    m->words[EXIT_CODE] = calloc(1, sizeof(value));
    m->layout = calloc(MOST_CELLS + 1, 1);
    m->kinds = calloc(MOST_OBJECTS, 1);
    m->zeros = calloc(MOST_OBJECTS, 1);
    m->kept = calloc(MOST_OBJECTS, 1);
    m->owners = calloc(MOST_OBJECTS, sizeof *m->owners);
    m->uses = calloc((size_t)MOST_OBJECTS * 4, sizeof *m->uses);
    m->accesses = calloc(MOST_ACCESSES, sizeof *m->accesses);
    int there = m->layout && m->kinds && m->zeros && m->kept && m->owners && m->uses && m->accesses;
    for (int part = 0; part < FIRST_NUMBER; part++) there = there && m->words[part];
    for (int part = FIRST_NUMBER; part < PARTS; part++) {
        int64_t count = part < FIRST_OF_THREAD ? MOST_OBJECTS : MOST_THREADS;
        m->numbers[part] = calloc((size_t)count, sizeof(int64_t));
        there = there && m->numbers[part];
    }
    if (!there) return 1;
    for (int t = 0; t < MOST_THREADS; t++) {
        m->numbers[STATUS][t] = ABSENT;
        for (int64_t k = 0; k < f->registers.length; k++)
            registers_of(m, t)[k] = f->registers_defined.at[k]
                                        ? NUMBER((uint64_t)f->registers.at[k])
                                        : UNDEFINED;
    }
    m->words[EXIT_CODE][0] = UNDEFINED;
    m->cells = f->cells.length + 1;
    for (int64_t k = 0; k < f->cells.length; k++) {
        m->words[CELLS][k] =
            f->cells_defined.at[k] ? NUMBER((uint64_t)f->cells.at[k]) : UNDEFINED;
        m->layout[k] = (int8_t)f->layout.at[k];
        m->discovered += k >= f->variables && k < f->statics && m->layout[k] > 0;
    }
    m->objects = f->kinds.length;
    for (int64_t k = 0; k < m->objects; k++) {
        m->kinds[k] = (int8_t)f->kinds.at[k];
        m->owners[k] = -1;
        m->numbers[LIMITS][k] = m->numbers[ROOM][k] = GONE;
    }
    for (int64_t k = 0; k < f->objects.length; k += 4) {
        const int64_t *o = f->objects.at + k;
        m->numbers[FIRST][o[0]] = o[1];
        m->numbers[LIMITS][o[0]] = o[2];
        m->numbers[ROOM][o[0]] = o[3] ? GONE : o[2];
    }
    return 0;
}

void machine_free(machine *m) {
    for (int part = 0; part < FIRST_NUMBER; part++) free(m->words[part]);
    for (int part = FIRST_NUMBER; part < PARTS; part++) free(m->numbers[part]);
    free(m->layout);
    free(m->kinds);
    free(m->zeros);
    free(m->kept);
    host_free(m);
    free(m->owners);
    free(m->uses);
    free(m->accesses);
    free(m->log);
    free(m->region_starts);
    free(m->arrivals);
    table_free(&m->identities);
    table_free(&m->regions);
    table_free(&m->children);
    table_free(&m->reasons);
}

/* ------------------------------------------------------------------------------- what is raised */

_Noreturn void refuse(machine *m, int why) {
    m->refused = why;
    m->refused_at = m->at;
    if (!m->stepping) longjmp(m->outside, CORE_NOT_COMPACT);
    longjmp(m->raised, CORE_NOT_COMPACT);
}

_Noreturn void raise_fault(machine *m, int property) {
    m->fault = property;
    m->fault_thread = m->thread;
    longjmp(m->raised, LONGJUMP_FAULT);
}

/* A violation, or the thread stops where nobody asks for the property. */
_Noreturn void fault(machine *m, int property) {
    if (m->f->checked & property) raise_fault(m, property);
    stuck(m, 1000 + property, property == LOCK || property == MEMORY || property == UNINITIALISED);
}

_Noreturn void uninitialised(machine *m) { raise_fault(m, UNINITIALISED); }

_Noreturn void stuck(machine *m, int reason, int bounded) {
    uint32_t word = (uint32_t)reason;
    int64_t number = table_number(&m->reasons, m->b, &word, 1) + 1;
    if (bounded) hits_bound(m, BOUND_STUCK + 16 * (int)number);
    int thread = m->thread;
    set(m, STATUS, thread, STUCK);
    set(m, REASON, thread, number);
    longjmp(m->raised, LONGJUMP_STUCK);
}

_Noreturn void blocked(machine *m, int what, int has_pointer, uint64_t pointer, int holder) {
    m->blocked = (obstacle){what, 1, has_pointer, pointer, holder};
    longjmp(m->raised, CORE_BLOCKED);
}

void hits_bound(machine *m, int kind) {
    m->bounded = 1;
    m->bound_key = (uint64_t)kind << 32 | (uint64_t)(uint32_t)m->at;
}

int decide(machine *m, value v) {
    if (v.u) fault(m, UNINITIALISED);
    return v.v != 0;
}

int choose(machine *m, int count) {
    if (count <= 1) return 0;
    if (m->chosen == m->given) {
        m->wanted = count;
        longjmp(m->raised, CORE_NEEDS_CHOICE);
    }
    if (m->chosen == MOST_CHOICES) refuse(m, TOO_MUCH_AT_ONCE);
    int64_t choice = m->choices[m->chosen];
    if (choice < 0 || choice >= count) refuse(m, ODD_FORM);
    m->used[m->chosen++] = choice;
    return (int)choice;
}

/* --------------------------------------------------------------------------------------- threads */

int64_t function_at(const form *f, int64_t pc) {
    int64_t low = 0, high = f->function_count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (function_of(f, middle)[F_FIRST_PC] <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The object of a function's nth local; `count`: how many it has. */
int64_t locals_of(const machine *m, const value *r, int64_t function, int64_t nth, int64_t *count) {
    const int64_t *list = m->f->tables.at + function_of(m->f, function)[F_LOCALS];
    *count = list[0];
    if (nth >= list[0]) return 0;
    value pointer = r[list[1 + nth]];
    return pointer.u ? 0 : (int64_t)object_of(pointer.v);
}

int64_t leave(machine *m, value *r, value result, int64_t link, int64_t function, int64_t to) {
    int64_t count = 1;
    for (int64_t nth = 0; nth < count; nth++) {
        int64_t object = locals_of(m, r, function, nth, &count);
        if (nth < count) release(m, (uint64_t)object);
    }
    value back = r[link];
    if (back.u) {
        if (function != m->f->end_of_thread) set_word(m, RESULTS, m->thread, result);
        return ENDS;
    }
    if (back.v >= (uint64_t)m->f->records) refuse(m, ODD_FORM);
    r[to] = result;
    return (int64_t)back.v;
}

int new_thread(machine *m, int number) {
    if (number >= MOST_THREADS) refuse(m, TOO_MANY_THREADS);
    if (number >= m->threads) m->threads = number + 1;
    for (int part = FIRST_OF_THREAD; part < PARTS; part++)
        if (part != STATUS && m->numbers[part][number]) set(m, part, number, 0);
    value *result = &m->words[RESULTS][number];
    if (result->u || result->v) set_word(m, RESULTS, number, NUMBER(0));
    set(m, STATUS, number, RUNNING);
    return number;
}

int machine_running(const machine *m, int *threads) {
    int count = 0;
    if (!m->words[EXIT_CODE][0].u) return 0;
    for (int t = 0; t < m->threads; t++) {
        if (m->numbers[STATUS][t] != RUNNING) continue;
        if (m->numbers[PAUSED][t]) {
            threads[0] = t;
            return 1;
        }
        threads[count++] = t;
    }
    return count;
}

/* ---------------------------------------------------------------------------------------- a step */

static void begin_step(machine *m, int thread, const int64_t *choices, int count) {
    keep(m, STATIC_KEY, 0, (uint64_t)m->numbers[STATIC_KEY][0], 0);
    m->thread = m->mover = thread;
    m->choices = choices;
    m->given = count;
    m->chosen = m->access_count = m->spawned_count = m->joined_count = m->started_count = 0;
    m->acquired_count = m->tries = m->wakes = m->exits = m->has_effect = m->serves = m->note = m->fault = 0;
    m->noted = 0;
    m->atomic = m->jumps = m->unseen_count = m->bounded = 0;
    m->any_spawned = 0;
    for (int t = 1; t < m->threads && !m->any_spawned; t++)
        m->any_spawned = m->numbers[STATUS][t] != ABSENT;
}

/* Its own variables end with it. */
int64_t thread_ends(machine *m, int thread) {
    if (m->f->end_of_thread >= 0) {
        int64_t after = go_on_at_end(m);
        if (after >= 0) return after;
    }
    set(m, STATUS, thread, DONE);
    for (int64_t n = m->f->kinds.length; m->host != NULL && n < m->objects; n++)
        if (m->kinds[n] == KIND_TLS && m->owners[n] == thread) release(m, (uint64_t)n);
    return -1;
}

/* Runs a new thread's first local instructions: nobody can see when they happen. */
static void start_thread(machine *m, int thread) {
    m->atomic = 0;
    m->thread = thread;
    run_local(m, thread, m->numbers[PCS][thread]);
    reveal(m);
}

/* A step that went wrong before it touched anything may have done so for what it found. */
static void touch_operands(machine *m) {
    int64_t list = m->f->operands.at[m->f->sites.at[m->origin]];
    if (list < 0) return;
    const int64_t *table = m->f->tables.at + list;
    const value *r = registers_of(m, m->mover);
    for (int64_t k = 1; k <= table[0]; k++) {
        value v = r[table[k] >> 1];
        uint64_t object = object_of(v.v);
        if (v.u || !is_object(m, object)) continue;
        if (table[k] & 1 || m->at != m->origin) refuse(m, NUMBER_OR_ADDRESS);
        int kind = m->kinds[object];
        int there = m->numbers[LIMITS][object] >= 0 && kind != KIND_CONSTANT;
        if (there || kind == KIND_HEAP || kind == KIND_STACK || kind == KIND_TLS)
            touch(m, WRITE, v.v, 1, 1, 0, UNDEFINED);
    }
}

static void fault_here(machine *m) {
    if (m->numbers[PCS][m->thread] != m->at) set(m, PCS, m->thread, m->at);
}

/* What is left to do when a step has been left in its middle; a new thread may be next. */
enum { OPERATING, REVEALING, CHILDREN, OPERANDS };

static int go_on(machine *m, int64_t mark, volatile int *stage, volatile int *child,
                 volatile int *faulty, int raised) {
    if (raised == LONGJUMP_STUCK) {
        if (*stage == CHILDREN) { /* a child that stops has been told already what it touched */
            reveal(m);
            ++*child;
        } else {
            *stage = REVEALING;
        }
    } else if (raised == LONGJUMP_FAULT) {
        fault_here(m);
        *faulty = 1;
        *stage = OPERANDS;
    } else if (raised) {
        if (raised == CORE_BLOCKED && m->atomic) { /* it starts anew, and may take another way */
            m->blocked.holder = -1;
            m->blocked.stable = 0;
        }
        machine_undo(m, mark);
        return raised;
    }
    return -1;
}

static int take_step(machine *m, int thread, const int64_t *choices, int count) {
    int64_t mark = m->log_length;
    volatile int stage = OPERATING, child = 0, faulty = 0;
    if (thread < 0 || thread >= m->threads || m->numbers[STATUS][thread] != RUNNING)
        return CORE_NOT_COMPACT;
    begin_step(m, thread, choices, count);
    m->at = m->origin = m->numbers[PCS][thread];
    keep(m, PCS, thread, (uint64_t)m->at, 0);
    set(m, EVENTS, thread, m->numbers[EVENTS][thread] + 1);
    set(m, KEY, thread, 0);
    m->was_paused = m->numbers[PAUSED][thread] != 0;
    if (m->was_paused) set(m, PAUSED, thread, 0);
    int raised = setjmp(m->raised);
    if (raised) {
        int result = go_on(m, mark, &stage, &child, &faulty, raised);
        if (result >= 0) return result;
    }
    if (stage == OPERATING) {
        int64_t after = perform(m, registers_of(m, thread), record_of(m->f, m->at));
        if (after == ENDS) after = thread_ends(m, thread);
        if (after >= 0) run_local(m, thread, after);
        stage = REVEALING;
    }
    if (stage == REVEALING) {
        stage = CHILDREN;
        reveal(m);
    }
    if (stage == CHILDREN) {
        while (child < m->started_count) {
            start_thread(m, m->started[child]);
            child = child + 1;
        }
        stage = OPERANDS;
    }
    if (!m->access_count && (faulty || m->numbers[STATUS][thread] == STUCK)) touch_operands(m);
    return faulty ? CORE_FAULTY : CORE_MOVED;
}

static int take_start(machine *m, const int64_t *choices, int count) {
    int64_t mark = m->log_length;
    const form *f = m->f;
    begin_step(m, 0, choices, count);
    m->origin = m->at = function_of(f, f->entry)[F_FIRST_PC];
    int raised = setjmp(m->raised);
    if (raised == LONGJUMP_FAULT) {
        fault_here(m);
        m->access_count = 0;
        return CORE_FAULTY;
    }
    if (raised == LONGJUMP_STUCK) {
        m->unseen_count = m->access_count = 0;
        return CORE_MOVED;
    }
    if (raised) {
        machine_undo(m, mark);
        return raised;
    }
    new_thread(m, 0);
    set(m, EVENTS, 0, 1);
    set(m, ALLOCATED, 0, f->allocated);
    for (int64_t k = 0; k < f->arguments.length; k += 2)
        put(m, registers_of(m, 0), f->arguments.at[k],
            f->arguments_defined.at[k / 2] ? NUMBER((uint64_t)f->arguments.at[k + 1]) : UNDEFINED);
    set(m, PCS, 0, m->origin);
    start_thread(m, 0);
    m->access_count = 0;
    return CORE_MOVED;
}

int machine_step(machine *m, int thread, const int64_t *choices, int count) {
    m->stepping = 1;
    int result = take_step(m, thread, choices, count);
    m->stepping = 0;
    return result;
}

int machine_start(machine *m, const int64_t *choices, int count) {
    m->stepping = 1;
    int result = take_start(m, choices, count);
    m->stepping = 0;
    return result;
}
