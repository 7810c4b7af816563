/* Iterations of loops that are bound to have no effect, whatever they read on the way: the rest of
 * an iteration is run with what is known of its values. As imc/explorer/foresight.py. */
#include <stdlib.h>
#include <string.h>

#include "explorer.h"

enum { LONGEST = 200, MOST_COPIES = 400, UNKNOWN = 2 }; /* instructions of all ways together; `u` of a value */

typedef struct {
    int64_t pc;
    value *r;
} code_place;

typedef struct {
    explorer *x;
    machine *m;
    int thread;
    int64_t seen;
    code_place work[LONGEST + 2];
    int count;
    value *copies[MOST_COPIES]; /* of the registers, freed at the end */
    int copied;
} outlook;

static value *copy_of(outlook *o, const value *r) {
    size_t size = (size_t)o->m->f->registers.length * sizeof *r;
    if (o->copied == MOST_COPIES) return NULL;
    value *copy = malloc(size);
    if (copy == NULL) longjmp(o->m->b->exhausted, 1);
    o->copies[o->copied++] = copy;
    memcpy(copy, r, size);
    return copy;
}

/* Whether the thread would stand where it has been. */
static int was_there(outlook *o, int64_t pc, const value *r) {
    const int64_t *live = o->m->f->tables.at + o->m->f->live.at[pc];
    for (int64_t k = 1; k <= live[0]; k++)
        if (r[live[k]].u == UNKNOWN) return 0;
    int64_t place = place_with(&o->x->s->k, o->m, o->thread, pc, r);
    return was_seen(o->x, o->seen, place);
}

/* Whether a pointer leads into a variable, which is always there. */
static int is_variable(const machine *m, value pointer, int64_t size) {
    uint64_t object = object_of(pointer.v);
    int64_t offset = offset_of(pointer.v);
    return !pointer.u && object < (uint64_t)m->f->kinds.length &&
           m->kinds[object] == KIND_GLOBAL && offset >= 0 &&
           offset <= m->numbers[ROOM][object] - size;
}

/* Whether one of the registers that a record looks at is unknown; -1 if it must not be looked at. */
static int looks_at_unknown(const int64_t *i, const value *r) {
    switch (i[0]) {
    case JUMP: case FORGET: return 0;
    case MOVE: case BRANCH: case SEXT: case TRUNC: case FREEZE: case SWITCH:
        return r[i[2]].u == UNKNOWN;
    case SELECT:
        return r[i[2]].u == UNKNOWN || r[i[3]].u == UNKNOWN || r[i[4]].u == UNKNOWN;
    default:
        return r[i[2]].u == UNKNOWN || r[i[3]].u == UNKNOWN;
    }
}

/* One record whose values are known; the pc that follows. Faults are raised. */
static int64_t compute(machine *m, value *r, const int64_t *i, int64_t pc) {
    switch (i[0]) {
    case JUMP: return i[2];
    case BRANCH: return decide(m, r[i[2]]) ? i[3] : i[4];
    case SWITCH: {
        const int64_t *t = m->f->tables.at + i[3];
        if (r[i[2]].u && t[0]) decide(m, r[i[2]]);
        for (int64_t k = 0; k < t[0] && !r[i[2]].u; k++)
            if ((uint64_t)t[1 + 2 * k] == r[i[2]].v) return t[2 + 2 * k];
        return t[1 + 2 * t[0]];
    }
    case MOVE: r[i[1]] = r[i[2]]; break;
    case FREEZE: r[i[1]] = r[i[2]].u ? NUMBER(0) : r[i[2]]; break;
    case SELECT: r[i[1]] = decide(m, r[i[4]]) ? r[i[2]] : r[i[3]]; break;
    case SEXT:
        r[i[1]] = r[i[2]];
        if (!r[i[2]].u && r[i[2]].v >> (i[3] - 1) & 1)
            r[i[1]].v |= mask_of((int)i[4]) & ~mask_of((int)i[3]);
        break;
    case TRUNC:
        r[i[1]] = r[i[2]];
        if (!r[i[2]].u) r[i[1]].v &= mask_of((int)i[4]);
        break;
    default: r[i[1]] = binary(m, (int)i[0], r[i[2]], r[i[3]], (int)i[4]);
    }
    return pc + 1;
}

static int is_computing(int64_t op) {
    return (op >= JUMP && op <= ULE) || (op >= SEXT && op <= TRUNC) || (op >= MUL && op <= SWITCH) ||
           op == FREEZE;
}

static int push(outlook *o, int64_t pc, value *r) {
    if (r == NULL || o->count > LONGEST) return 0;
    o->work[o->count++] = (code_place){pc, r};
    return 1;
}

static int both_ways(outlook *o, const int64_t *i, value *r) {
    if (i[0] == BRANCH) return push(o, i[3], copy_of(o, r)) && push(o, i[4], r);
    const int64_t *t = o->m->f->tables.at + i[3];
    for (int64_t k = 0; k < t[0]; k++)
        if (!push(o, t[2 + 2 * k], copy_of(o, r))) return 0;
    return push(o, t[1 + 2 * t[0]], r);
}

/* Performs one instruction, with the records that belong to it; 0 if it may do more. */
static int perform_one(outlook *o, int64_t pc, value *r) {
    machine *m = o->m;
    const form *f = m->f;
    for (int first = 1; first || !(f->notes.at[pc] & BEGINS); first = 0) {
        const int64_t *i = record_of(f, pc);
        int64_t note = f->notes.at[pc];
        m->at = pc;
        if (note & OBSTRUCTED && first) return 0;
        if (note & LOADS && (i[0] == LOAD || i[0] == VISIBLE_LOAD)) {
            if (r[i[2]].u || !is_variable(m, r[i[2]], i[4])) return 0;
            r[i[1]] = (value){0, UNKNOWN};
            pc++;
            continue;
        }
        if (!(note & COMPUTES) || !is_computing(i[0])) return 0;
        if (looks_at_unknown(i, r)) {
            if (i[0] == BRANCH || i[0] == SWITCH) return both_ways(o, i, r);
            if (!(note & HARMLESS) && i[0] != MOVE) return 0;
            r[i[1]] = (value){0, UNKNOWN};
            pc++;
            continue;
        }
        pc = compute(m, r, i, pc);
    }
    return push(o, pc, r);
}

static int all_lead_back(outlook *o) {
    machine *m = o->m;
    int start = 1;
    for (int left = LONGEST; left > 0; left--) {
        if (!o->count) return 1;
        code_place at = o->work[--o->count];
        int64_t op = record_of(m->f, at.pc)[0];
        int stays = op >= VISIBLE && op != INPUT;
        if (!start && stays && was_there(o, at.pc, at.r)) continue;
        start = 0;
        if (!perform_one(o, at.pc, at.r)) return 0;
    }
    return 0;
}

/* What is left out is not looked at: a race or an overflow would be missed. */
int looks_ahead(const machine *m) {
    return !(m->f->checked & ~(int64_t)(ASSERTION | DEADLOCK | LIVELOCK | MEMORY | LOCK |
                                        DIVISION | ABORTS | UNINITIALISED));
}

/* Memory has no part in it, so each question is answered once. */
int comes_back(explorer *x, int thread, int64_t place, int64_t seen) {
    machine *m = x->m;
    if (!looks_ahead(m)) return 0;
    if (m->numbers[PAUSED][thread]) return 0;
    uint32_t question[] = {(uint32_t)place, (uint32_t)seen, 1};
    if (table_find(&x->answers, question, 3) >= 0) return 1;
    question[2] = 0;
    if (table_find(&x->answers, question, 3) >= 0) return 0;
    int64_t mark = m->log_length, at = m->at;
    int mover = m->thread;
    outlook *o = take(x->b, 1, sizeof *o);
    o->x = x;
    o->m = m;
    o->thread = thread;
    o->seen = seen;
    m->thread = thread;
    m->stepping = 1;
    volatile int answer = 0;
    int raised = setjmp(m->raised);
    if (!raised) {
        push(o, m->numbers[PCS][thread], copy_of(o, registers_of(m, thread)));
        answer = all_lead_back(o);
    }
    m->stepping = 0;
    m->at = at;
    m->thread = mover;
    machine_undo(m, mark);
    for (int k = 0; k < o->copied; k++) free(o->copies[k]);
    free(o);
    if (raised == CORE_NOT_COMPACT) search_end(x->s, CORE_REFUSED);
    question[2] = (uint32_t)answer;
    table_number(&x->answers, x->b, question, 3);
    return answer;
}
