/* Local instructions: nobody sees when they happen. As imc/compact/translate.py and local.py.
 * Performance-critical: see scripts/bench_explore.py. */
#include "host.h"

/* What an instruction touches that is no event is not among the event's accesses. */
static void hide(machine *m, int seen) {
    for (int k = seen; k < m->access_count; k++) use_unseen(m, m->accesses[k].object, 1);
    m->access_count = seen;
}

static int64_t switched(machine *m, value v, int64_t at) {
    const int64_t *t = m->f->tables.at + at;
    int64_t count = t[0];
    if (v.u && count) decide(m, v);
    for (int64_t k = 0; k < count && !v.u; k++)
        if ((uint64_t)t[1 + 2 * k] == v.v) return t[2 + 2 * k];
    return t[1 + 2 * count];
}

/* Where a call through a pointer leads. */
static int64_t dispatched(machine *m, value v, int64_t at) {
    const int64_t *t = m->f->tables.at + at;
    for (int64_t k = 0; k < t[0] && !v.u && offset_of(v.v) == 0; k++)
        if ((uint64_t)t[1 + 2 * k] == object_of(v.v)) return t[2 + 2 * k];
    refuse(m, CALL_ELSEWHERE);
}

static value on_heap(machine *m, const value *r, const int64_t *i) {
    value a = r[i[2]], b = i[3] < 0 ? NUMBER(1) : r[i[3]];
    if (a.u || b.u) uninitialised(m);
    unsigned __int128 size = (unsigned __int128)a.v * b.v;
    if (size > (unsigned __int128)m->f->largest) return NUMBER(0);
    if (size > MOST_CELLS) refuse(m, LARGE_MEMORY);
    return NUMBER(allocate(m, KIND_HEAP, (int64_t)size, i[4] != 0));
}

static value sized(machine *m, value size) {
    if (size.u) uninitialised(m);
    return size;
}

static void rare(machine *m, value *r, const int64_t *i) {
    int seen = m->access_count;
    value v = UNDEFINED;
    switch (i[0]) {
    case FORGET:
        break;
    case FREEZE:
        v = r[i[2]];
        if (v.u) {
            hits_bound(m, BOUND_FREEZE);
            v = NUMBER(0);
        }
        break;
    case OVERFLOWS:
        if (overflows((int)(i[4] >> 10), r[i[2]], r[i[3]], (int)(i[4] & 127), (i[4] & 128) != 0,
                      (i[4] & 256) != 0))
            fault(m, OVERFLOW);
        return;
    case ALLOCATE:
        v = NUMBER(allocate(m, KIND_STACK, i[2], 0));
        break;
    case BEGIN: {
        int64_t changed = m->log_length;
        if (r[i[2]].u) refuse(m, ODD_FORM);
        begin_scope(m, object_of(r[i[2]].v), i[3]);
        if (m->log_length > changed) use_unseen(m, object_of(r[i[2]].v), 1);
        return;
    }
    case ASSUME:
        if (!decide(m, r[i[2]])) {
            if (m->atomic) blocked(m, FOR_ASSUMPTION, 0, 0, -1);
            stuck(m, REFUTED, 0);
        }
        return;
    case ASSERT:
        if (!decide(m, r[i[2]])) fault(m, ASSERTION);
        return;
    case FAIL:
        fault(m, (int)m->f->properties.at[i[3]]);
    case STOPS:
        stuck(m, 2 + (int)i[2], 0);
    case ATOMIC_END:
        if (m->atomic == 0) fault(m, LOCK);
        m->atomic--;
        return;
    case SELF:
        v = NUMBER((uint64_t)m->thread + 1);
        break;
    case HEAP:
        v = on_heap(m, r, i);
        break;
    case FREE:
        free_object(m, r[i[2]]);
        hide(m, seen);
        break;
    case UPDATE:
        v = update_cell(m, r[i[2]], r[i[3]], i[4]);
        hide(m, seen);
        break;
    case EXCHANGE: {
        int same = exchange_cell(m, r, i[2], i[3], i[4], &v);
        hide(m, seen);
        put(m, r, i[1] + 1, NUMBER((uint64_t)same));
        break;
    }
    case FILL:
        if (sized(m, r[i[4]]).v) {
            if (r[i[3]].u) refuse(m, NOT_ZEROS);
            set_bytes(m, r[i[2]], r[i[4]].v, r[i[3]].v & 0xff);
            use_unseen(m, object_of(r[i[2]].v), 1);
        }
        v = r[i[2]];
        break;
    case COPY:
        if (sized(m, r[i[4]]).v) {
            copy_cells(m, r[i[2]], r[i[3]], r[i[4]].v);
            use_unseen(m, object_of(r[i[3]].v), 0);
            use_unseen(m, object_of(r[i[2]].v), 1);
        }
        v = r[i[2]];
        break;
    case END:
        if (!r[i[2]].u) release(m, object_of(r[i[2]].v));
        return;
    default:
        refuse(m, ODD_FORM);
    }
    put(m, r, i[1], v);
}

static value truncated(machine *m, value x, int bits) {
    if (x.u) return x;
    if (bits < 64 && x.v >> SHIFT) uses_number(m, x.v);
    uint64_t v = x.v & mask_of(bits);
    if (bits > SHIFT && v != x.v) number_is_no_address(m, v);
    return NUMBER(v);
}

static value extended(machine *m, value x, int from, int to) {
    if (x.u || !(x.v >> (from - 1) & 1)) return x;
    uint64_t v = x.v | (mask_of(to) & ~mask_of(from));
    if (from > SHIFT || to < 64) number_is_no_address(m, v);
    return NUMBER(v);
}

static void paused(machine *m, int thread, int64_t pc, int64_t op) {
    m->numbers[PCS][thread] = pc; /* what was there is in the log */
    if (op == INPUT) set(m, PAUSED, thread, 1);
}

/* Runs until the thread stands at a visible operation or has ended. */
void run_local(machine *m, int thread, int64_t pc) {
    const form *f = m->f;
    value *r = registers_of(m, thread);
    for (int64_t left = MOST_RECORDS;; left--) {
        if (left == 0) refuse(m, LONG_LOOP); /* jumps that lead back are counted; odd forms hide them */
        const int64_t *i = record_of(f, pc);
        int64_t op = i[0];
        if (op >= VISIBLE) {
            if (!m->atomic) {
                paused(m, thread, pc, op);
                return;
            }
            m->at = pc;
            int64_t after = perform(m, r, i);
            if (after >= 0) {
                pc = after;
            } else if (after == ENDS) {
                pc = thread_ends(m, thread);
                if (pc < 0) return;
                continue;
            } else if (after == EXITS) {
                m->numbers[PCS][thread] = pc;
                return;
            }
            continue;
        }
        m->at = pc;
        switch (op) {
        case JUMP:
            if (i[3] && ++m->jumps > MOST_JUMPS) refuse(m, LONG_LOOP);
            m->serves |= i[4] != 0;
            pc = i[2];
            continue;
        case BRANCH:
            pc = decide(m, r[i[2]]) ? i[3] : i[4];
            continue;
        case MOVE:
            put(m, r, i[1], r[i[2]]);
            break;
        case ADD: case SUB: case EQ: case NE: case SLT: case SLE: case ULT: case ULE: case MUL:
        case AND: case OR: case XOR: case SHL: case LSHR: case ASHR: case UDIV: case UREM:
        case SDIV: case SREM:
            put(m, r, i[1], binary(m, (int)op, r[i[2]], r[i[3]], (int)i[4]));
            break;
        case LOAD: {
            use_unseen(m, object_of(r[i[2]].v), 0);
            value v = read_cell(m, r[i[2]], i[4]);
            put(m, r, i[1], v);
            break;
        }
        case STORE:
            use_unseen(m, object_of(r[i[2]].v), 1);
            write_cell(m, r[i[2]], i[4], r[i[3]]);
            break;
        case INDEX: case INDEX32:
            put(m, r, i[1], indexed(m, r[i[2]], r[i[3]], i[4], op == INDEX));
            break;
        case OFFSET:
            put(m, r, i[1], moved(m, r[i[2]], i[3]));
            break;
        case SEXT:
            put(m, r, i[1], extended(m, r[i[2]], (int)i[3], (int)i[4]));
            break;
        case TRUNC:
            put(m, r, i[1], truncated(m, r[i[2]], (int)i[4]));
            break;
        case SELECT: {
            int left = decide(m, r[i[4]]);
            put(m, r, i[1], left ? r[i[2]] : r[i[3]]);
            break;
        }
        case CALL:
            put(m, r, i[1], NUMBER((uint64_t)pc + 1));
            pc = i[2];
            continue;
        case RETURN: {
            int64_t after = leave(m, r, r[i[3]], i[2], i[4], i[1]);
            if (after == ENDS) {
                pc = thread_ends(m, thread);
                if (pc < 0) return;
                continue;
            }
            pc = after;
            continue;
        }
        case SWITCH:
            pc = switched(m, r[i[2]], i[3]);
            continue;
        case DISPATCH:
            pc = dispatched(m, r[i[2]], i[3]);
            continue;
        case PERFORM: {
            int64_t after = perform_by_model(m, r, i[1], i[2], i[3], i[4] != 0);
            if (after < 0) refuse(m, BY_HOST);
            pc = after;
            continue;
        }
        case RESUME:
            if (i[3]) set(m, PHASE, thread, i[3]);
            pc = i[2];
            continue;
        default:
            rare(m, r, i);
        }
        pc++;
    }
}
