/* Operations that others can see: accesses, threads, the end of the program, inputs. Each answers
 * the pc that follows, or EXITS, ENDS, AGAIN. As imc/compact/visible.py. */
#include "host.h"

enum { ESRCH = 3, EDEADLK = 35, ABORTED = 134, HIDDEN_BYTES = 8192 };
enum { HIDDEN_THREAD = 1, HIDDEN_EXIT = 2 };

value update_cell(machine *m, value pointer, value operand, int64_t table) {
    const int64_t *t = m->f->tables.at + table; /* how, bytes, bits, whether it commutes */
    value old = read_cell(m, pointer, t[1]);
    value now = updated(m, (int)t[0], old, operand, (int)t[2]);
    write_cell(m, pointer, t[1], now);
    touch(m, t[3] ? ADDS : WRITE, pointer.v, t[1], 1, 1, now);
    return old;
}

int exchange_cell(machine *m, value *r, int64_t a, int64_t b, int64_t table, value *old) {
    const int64_t *t = m->f->tables.at + table;
    value pointer = r[a], expected = r[b], now = r[t[0]];
    *old = read_cell(m, pointer, t[1]);
    if (!old->u && !expected.u) compares_equal(m, old->v, expected.v);
    int same = decide(m, old->u || expected.u ? UNDEFINED : NUMBER(old->v == expected.v));
    if (same) write_cell(m, pointer, t[1], now);
    touch(m, same ? WRITE : READ, pointer.v, t[1], 1, 1, same ? now : *old);
    return same;
}

/* A function's locals end where others may still reach them. */
static void end_locals(machine *m, const value *r, int64_t function) {
    int64_t count = 1;
    for (int64_t nth = 0; nth < count; nth++) {
        int64_t object = locals_of(m, r, function, nth, &count);
        if (nth < count && is_object(m, (uint64_t)object) && m->numbers[LIMITS][object] != GONE) {
            int64_t size = m->numbers[LIMITS][object];
            touch(m, WRITE, pointer_to((uint64_t)object), size > 1 ? size : 1, 0, 0, UNDEFINED);
        }
    }
}

/* ---------------------------------------------------------------------------------------- threads */

static int child_of(machine *m, int parent, int64_t nth) {
    uint32_t identity[] = {(uint32_t)parent, (uint32_t)nth};
    int64_t number = table_number(&m->children, m->b, identity, 2) + 1;
    if (number >= MOST_THREADS) refuse(m, TOO_MANY_THREADS);
    return (int)number;
}

static int64_t spawn(machine *m, value *r, const int64_t *i) {
    const int64_t *t = m->f->tables.at + i[1];
    if (r[t[1]].u || r[t[1]].v) refuse(m, THREAD_ATTRIBUTES);
    value routine = r[i[3]];
    int64_t function = -1;
    uint64_t object = object_of(routine.v);
    if (!routine.u && offset_of(routine.v) == 0 && object < (uint64_t)m->f->kinds.length)
        function = m->f->function_of[object];
    if (function == -2) refuse(m, UNKNOWN_FUNCTION);
    if (function < 0) fault(m, MEMORY);
    int parent = m->thread, present = 0;
    set(m, SPAWNS, parent, m->numbers[SPAWNS][parent] + 1);
    for (int k = 0; k < m->threads; k++) present += m->numbers[STATUS][k] != ABSENT;
    if (present >= m->f->thread_limit) refuse(m, TOO_MANY_THREADS);
    int child = child_of(m, parent, m->numbers[SPAWNS][parent]);
    if (child < m->threads && m->numbers[STATUS][child] != ABSENT) refuse(m, ODD_FORM);
    m->any_spawned = 1;
    new_thread(m, child);
    const int64_t *g = function_of(m->f, function);
    value *theirs = registers_of(m, child);
    set(m, PCS, child, g[F_FIRST_PC]);
    put(m, theirs, g[F_LINK], UNDEFINED);
    if (g[F_PARAMETER] >= 0) put(m, theirs, g[F_PARAMETER], r[i[4]]);
    if (m->started_count == MOST_TOGETHER) refuse(m, TOO_MUCH_AT_ONCE);
    m->started[m->started_count++] = child;
    m->spawned[m->spawned_count++] = child;
    m->note = STARTS;
    m->noted = child;
    value handle = NUMBER((uint64_t)child + 1);
    write_cell(m, r[i[2]], 8, handle);
    touch(m, WRITE, r[i[2]].v, 8, 0, 1, handle);
    put(m, r, t[0], NUMBER(0));
    return m->at + 1;
}

/* The thread that a handle stands for, -1 if there is none. */
static int thread_of(const machine *m, value handle) {
    if (handle.u || handle.v == 0 || handle.v > (uint64_t)m->threads) return -1;
    int thread = (int)handle.v - 1;
    return m->numbers[STATUS][thread] == ABSENT ? -1 : thread;
}

/* Joins and detaches of one thread do not commute. */
static void touch_thread(machine *m, int thread) {
    touch(m, WRITE, hidden(m, HIDDEN_THREAD, thread), 1, 1, 0, UNDEFINED);
}

static int64_t join(machine *m, value *r, const int64_t *i) {
    int thread = thread_of(m, r[i[2]]);
    uint64_t status = 0;
    if (thread < 0) {
        status = ESRCH;
    } else if (thread == m->thread) {
        status = EDEADLK;
    } else {
        touch_thread(m, thread);
        if (m->numbers[DETACHED][thread] || m->numbers[JOINED][thread]) fault(m, LOCK);
        if (m->numbers[STATUS][thread] != DONE) blocked(m, FOR_END, 0, 0, thread);
        if (m->joined_count == MOST_TOGETHER) refuse(m, TOO_MUCH_AT_ONCE);
        m->joined[m->joined_count++] = thread;
        set(m, JOINED, thread, 1);
        set(m, KEY, thread, 0);
        if (r[i[3]].u || r[i[3]].v) {
            value result = m->words[RESULTS][thread];
            write_cell(m, r[i[3]], i[4], result);
            touch(m, WRITE, r[i[3]].v, i[4], 0, 1, result);
        }
        m->note = JOINS;
        m->noted = thread;
    }
    put(m, r, i[1], NUMBER(status));
    return m->at + 1;
}

static int64_t detach(machine *m, value *r, const int64_t *i) {
    int thread = thread_of(m, r[i[2]]);
    if (thread >= 0) {
        set(m, DETACHED, thread, 1);
        set(m, KEY, thread, 0);
        touch_thread(m, thread);
    }
    put(m, r, i[1], NUMBER(thread < 0 ? ESRCH : 0));
    return m->at + 1;
}

static int64_t thread_exit(machine *m, value *r, const int64_t *i) {
    int64_t active[256];
    int count = 0;
    for (int64_t function = i[4];;) {
        if (count == 256) refuse(m, TOO_MUCH_AT_ONCE);
        active[count++] = function;
        value back = r[function_of(m->f, function)[F_LINK]];
        if (back.u) break;
        if (back.v < 1 || back.v > (uint64_t)m->f->records) refuse(m, ODD_FORM);
        function = function_at(m->f, (int64_t)back.v - 1);
    }
    while (count--) {
        end_locals(m, r, active[count]);
        int64_t locals = 1;
        for (int64_t nth = 0; nth < locals; nth++) {
            int64_t object = locals_of(m, r, active[count], nth, &locals);
            if (nth < locals) release(m, (uint64_t)object);
        }
    }
    set_word(m, RESULTS, m->thread, r[i[2]]);
    return ENDS;
}

/* ----------------------------------------------------------------------------- the world around */

int64_t exits(machine *m, uint64_t code) {
    set_word(m, EXIT_CODE, 0, NUMBER(code));
    m->exits = 1;
    return EXITS;
}

static int64_t exit_program(machine *m, value *r, const int64_t *i) {
    if (i[3]) /* nobody has given it a handler, but that is looked up */
        touch(m, WRITE, hidden(m, HIDDEN_EXIT, 0), HIDDEN_BYTES, 1, 0, UNDEFINED);
    return exits(m, r[i[2]].u ? 0 : r[i[2]].v & 0xff);
}

static int64_t read_input(machine *m, value *r, const int64_t *i) {
    uint64_t v = 0;
    int bits = (int)i[3];
    if (i[2] == 3) return perform_by_model(m, r, i[1], i[4], 1, 0);
    if (i[2] == 2) {
        v = (uint64_t)choose(m, 2);
        m->note = INPUT_OF;
        m->noted = (int64_t)v;
    } else if (i[2] == 1) {
        int64_t count = m->f->inputs.length;
        hits_bound(m, BOUND_INPUT);
        v = (uint64_t)m->f->inputs.at[choose(m, (int)count)];
        m->note = INPUT_OF;
        m->noted = (int64_t)v;
        v &= mask_of(bits);
        number_is_no_address(m, v);
    } else {
        hits_bound(m, BOUND_POINTER);
    }
    put(m, r, i[1], NUMBER(v));
    return m->at + 1;
}

int64_t perform(machine *m, value *r, const int64_t *i) {
    switch (i[0]) {
    case VISIBLE_LOAD: {
        value pointer = r[i[2]], v = read_cell(m, pointer, i[4]);
        put(m, r, i[1], v);
        touch(m, READ, pointer.v, i[4], i[3] != 0, 1, v);
        return m->at + 1;
    }
    case VISIBLE_STORE: {
        value pointer = r[i[2]], v = r[i[3]];
        write_cell(m, pointer, i[4], v);
        touch(m, WRITE, pointer.v, i[4], i[1] != 0, 1, v);
        return m->at + 1;
    }
    case VISIBLE_UPDATE:
        put(m, r, i[1], update_cell(m, r[i[2]], r[i[3]], i[4]));
        return m->at + 1;
    case VISIBLE_EXCHANGE: {
        value old;
        int same = exchange_cell(m, r, i[2], i[3], i[4], &old);
        put(m, r, i[1], old);
        put(m, r, i[1] + 1, NUMBER((uint64_t)same));
        return m->at + 1;
    }
    case VISIBLE_RETURN:
        end_locals(m, r, i[4]);
        return leave(m, r, r[i[3]], i[2], i[4], i[1]);
    case VISIBLE_FREE:
        free_object(m, r[i[2]]);
        put(m, r, i[1], UNDEFINED);
        return m->at + 1;
    case INPUT:
        return read_input(m, r, i);
    case SPAWN:
        return spawn(m, r, i);
    case JOIN:
        return join(m, r, i);
    case DETACH:
        return detach(m, r, i);
    case THREAD_EXIT:
        return thread_exit(m, r, i);
    case EXIT:
        return exit_program(m, r, i);
    case VISIBLE_PERFORM:
        return perform_by_model(m, r, i[1], i[2], i[3], i[4] != 0);
    case ABORT:
        if (m->f->checked & ABORTS) fault(m, ABORTS);
        return exits(m, ABORTED);
    case ATOMIC_BEGIN:
        m->atomic++;
        return m->at + 1;
    default:
        return perform_lock(m, r, i);
    }
}
