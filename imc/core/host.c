/* Instructions that have no operation of their own: the model performs them in Python, on memory
 * that it looks up here, and answers with what has changed; as imc/compact/hosted.py. The order of
 * the numbers is that of imc/core/hosting.py. Nothing is believed of an answer but the values. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { REPLY_ROOM = 1 << 17, MOST_ASKED = 1 << 12 };
enum { NEXT, COMES_AGAIN, CALLS, CALLS_BACK, COMES_ENDS, COMES_EXITS, WAITS_FOR, CHOICE, FAULTS, STICKS };
enum { HIDDEN_BYTES = 8192, TEXTS = 100, STUCK_TEXTS = 5000 };
enum { HIDDEN_THREAD = 1 };

struct host {
    core_ask *ask;
    void *whom;
    int64_t asked[MOST_ASKED];
    int64_t reply[REPLY_ROOM];
    int64_t length, at;
};

int host_set(machine *m, core_ask *ask, void *whom) {
    if (m->host == NULL) m->host = calloc(1, sizeof *m->host);
    if (m->host == NULL) return 1;
    m->host->ask = ask;
    m->host->whom = whom;
    return 0;
}

void host_free(machine *m) {
    free(m->host);
    m->host = NULL;
}

/* ----------------------------------------------------------------------------------- the question */

typedef struct {
    int64_t *to, room, count;
} writer;

static void tell(writer *w, int64_t number) {
    if (w->count < w->room) w->to[w->count] = number;
    w->count++;
}

static void tell_value(writer *w, value v) {
    tell(w, (int64_t)v.v);
    tell(w, (int64_t)v.u);
}

static void tell_registers(writer *w, const machine *m, const value *r, int64_t table) {
    const int64_t *list = m->f->tables.at + table;
    tell(w, list[0]);
    for (int64_t k = 1; k <= list[0]; k++) tell_value(w, r[list[k]]);
}

static void ask(machine *m, int64_t pc, const value *r, int64_t table) {
    host *h = m->host;
    if (h == NULL) refuse(m, BY_HOST);
    writer w = {h->asked, MOST_ASKED, 0};
    int thread = m->thread;
    int64_t facts[] = {thread, pc, m->numbers[PHASE][thread], m->numbers[SCRATCH][thread],
                       m->atomic};
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) tell(&w, facts[k]);
    tell(&w, m->given - m->chosen);
    for (int k = m->chosen; k < m->given; k++) tell(&w, m->choices[k]);
    if (pc >= 0)
        tell_registers(&w, m, r, table);
    else
        tell(&w, 0);
    if (w.count > MOST_ASKED) refuse(m, TOO_MUCH_AT_ONCE);
    h->length = h->ask(h->whom, h->asked, w.count, h->reply, REPLY_ROOM);
    h->at = 0;
    if (h->length < 0 || h->length > REPLY_ROOM) refuse(m, BY_HOST);
}

/* ------------------------------------------------------------------------------------- the answer */

static int64_t number(machine *m) {
    host *h = m->host;
    if (h->at >= h->length) refuse(m, ODD_FORM);
    return h->reply[h->at++];
}

static value word(machine *m) {
    uint64_t v = (uint64_t)number(m);
    return number(m) ? UNDEFINED : NUMBER(v);
}

/* A number of an object that there is, or that the model has just told of. */
static int64_t object(machine *m) {
    int64_t n = number(m);
    if (!is_object(m, (uint64_t)n)) refuse(m, ODD_FORM);
    return n;
}

/* Objects that are new to the model's table become known here, under the same numbers. */
static void meet_objects(machine *m) {
    for (int64_t left = number(m); left > 0; left--) {
        int64_t kind = number(m), a = number(m), b = number(m), c = number(m);
        uint32_t identity[] = {(uint32_t)kind, (uint32_t)a, (uint32_t)b, (uint32_t)c};
        if (kind < KIND_STACK || kind > KIND_LIBRARY) refuse(m, ODD_FORM);
        int64_t before = m->objects;
        int64_t n = know(m, identity, kind == KIND_LIBRARY ? 3 : 4, (int)kind,
                         kind == KIND_STACK || kind == KIND_TLS ? (int)a : -1);
        if (n != before) refuse(m, ODD_FORM);
        m->zeros[n] = kind == KIND_LIBRARY ? 1 : -1;
        if (kind == KIND_LIBRARY && a != HIDDEN_THREAD) m->kept[n] = 1;
        if (kind == KIND_TLS) m->kept[n] = 1;
        if (kind == KIND_HEAP && c & OWN_SITE) m->owners[n] = LIBRARY_OWNS;
    }
}

static void take_accesses(machine *m) {
    for (int64_t left = number(m); left > 0; left--) {
        int64_t mode = number(m), n = number(m), offset = number(m), size = number(m);
        int64_t atomic = number(m), tells = number(m);
        value held = word(m);
        if (!is_object(m, (uint64_t)n) || mode < READ || mode > ADDS || offset < 0 ||
            offset >= (int64_t)(LOW - BASE) || size < 1)
            refuse(m, ODD_FORM);
        touch(m, (int)mode, pointer_to((uint64_t)n) + (uint64_t)offset, size, atomic != 0,
              tells != 0, held);
    }
}

static void begin_objects(machine *m) {
    for (int64_t left = number(m); left > 0; left--) {
        int64_t n = object(m), size = number(m), zero = number(m), depth = number(m);
        if (size < 0 || size > MOST_CELLS) refuse(m, LARGE_MEMORY);
        if (m->kinds[n] == KIND_LIBRARY) {
            set(m, LIMITS, n, HIDDEN_BYTES);
            continue;
        }
        if (m->zeros[n] < 0) m->zeros[n] = zero != 0;
        if (m->kinds[n] < KIND_STACK || m->zeros[n] != (zero != 0)) refuse(m, ODD_FORM);
        int64_t first = region_of(m, n, size, zero ? NUMBER(0) : UNDEFINED);
        if (m->numbers[FIRST][n] != first) set(m, FIRST, n, first);
        if (m->numbers[DEPTH][n] != depth) set(m, DEPTH, n, depth);
        set(m, LIMITS, n, size);
        set(m, ROOM, n, size);
    }
}

/* The first cell of some bytes of an object, which the library may begin to use just now. */
static int64_t cells_of(machine *m, int64_t n, int64_t offset, int64_t size) {
    if (offset < 0 || size < 1 || m->numbers[LIMITS][n] == GONE ||
        size > m->numbers[LIMITS][n] - offset || m->kinds[n] == KIND_CONSTANT)
        refuse(m, ODD_FORM);
    if (m->kinds[n] == KIND_LIBRARY) {
        if (!m->numbers[FIRST][n]) m->numbers[FIRST][n] = region_of(m, n, HIDDEN_BYTES, NUMBER(0));
        if (m->numbers[DEPTH][n] < offset + size) set(m, DEPTH, n, offset + size);
        m->kept[n] = 1;
    }
    return m->numbers[FIRST][n] + offset;
}

static void write_objects(machine *m) {
    for (int64_t left = number(m); left > 0; left--) {
        int64_t n = object(m), offset = number(m), size = number(m);
        int64_t at = cells_of(m, n, offset, size);
        value now = word(m);
        if (size > 8 && m->layout[at] != size) refuse(m, ODD_FORM);
        if (!now.u && size < 8 && now.v >> (8 * size)) refuse(m, ODD_FORM);
        put_cell(m, at, size, now);
    }
    for (int64_t left = number(m); left > 0; left--) {
        int64_t n = object(m), offset = number(m), size = number(m);
        int64_t at = cells_of(m, n, offset, size);
        value now = word(m);
        for (int64_t k = at; k < at + size; k++) {
            if (m->layout[k]) refuse(m, ODD_FORM);
            if (k < m->f->statics) discover(m, k, 1); /* keys know only scalars of variables */
            patch_cell(m, k, now);
        }
    }
    for (int64_t left = number(m); left > 0; left--) {
        int64_t n = object(m);
        set(m, LIMITS, n, GONE);
        set(m, ROOM, n, GONE);
    }
}

static void use_hidden(machine *m) {
    for (int writes = 0; writes < 2; writes++)
        for (int64_t left = number(m); left > 0; left--) use_unseen(m, (uint64_t)object(m), writes);
}

static void take_thread(machine *m) {
    int thread = m->thread;
    for (int64_t left = number(m); left > 0; left--) {
        int64_t other = number(m);
        if (other < 0 || other >= m->threads || m->joined_count == MOST_TOGETHER) refuse(m, ODD_FORM);
        m->joined[m->joined_count++] = (int)other;
        set(m, JOINED, other, 1);
        set(m, KEY, other, 0);
    }
    for (int64_t left = number(m); left > 0; left--) {
        if (m->acquired_count == MOST_TOGETHER) refuse(m, TOO_MUCH_AT_ONCE);
        m->acquired[m->acquired_count++] = (uint64_t)number(m);
    }
    int64_t allocated = number(m), extra = number(m);
    if (m->numbers[ALLOCATED][thread] != allocated) set(m, ALLOCATED, thread, allocated);
    if (m->numbers[EXTRA][thread] != extra) set(m, EXTRA, thread, extra);
    patch_cell(m, OUTPUT_CELL(m), NUMBER((uint64_t)number(m)));
    int64_t note = number(m);
    if (note) {
        m->note = TOLD;
        m->noted = note;
    }
    m->tries |= number(m) != 0;
    m->wakes |= number(m) != 0;
    m->has_effect |= number(m) != 0;
    int64_t bounds = number(m);
    if (bounds) hits_bound(m, BOUND_HOST + 16 * (int)bounds);
}

static void set_phase(machine *m, int64_t phase, int64_t scratch) {
    if (m->numbers[PHASE][m->thread] != phase) set(m, PHASE, m->thread, phase);
    if (m->numbers[SCRATCH][m->thread] != scratch) set(m, SCRATCH, m->thread, scratch);
}

/* The record behind this one leads back to it, in the phase that was left; behind that it goes on. */
static int64_t call(machine *m, value *r, int back, int64_t phase, int goes_on) {
    int64_t function = number(m);
    if (!back || function < 0 || function >= m->f->function_count ||
        (!goes_on && record_of(m->f, m->at + 1)[3] != phase))
        refuse(m, BY_HOST);
    const int64_t *g = function_of(m->f, function);
    put(m, r, g[F_LINK], NUMBER((uint64_t)m->at + 1 + (uint64_t)goes_on));
    for (int64_t left = number(m); left > 0; left--) {
        int64_t to = number(m);
        if (to < 0 || to >= m->f->registers.length || m->f->registers_defined.at[to])
            refuse(m, ODD_FORM);
        put(m, r, to, word(m));
    }
    set_phase(m, 0, 0);
    return g[F_FIRST_PC];
}

int64_t perform_by_model(machine *m, value *r, int64_t to, int64_t table, int64_t results,
                         int back) {
    ask(m, m->at, r, table);
    int64_t comes = number(m), chosen = number(m), wanted = number(m);
    if (chosen < 0 || chosen > m->given - m->chosen) refuse(m, ODD_FORM);
    for (; chosen > 0; chosen--) {
        if (m->chosen == MOST_CHOICES) refuse(m, TOO_MUCH_AT_ONCE);
        m->used[m->chosen] = m->choices[m->chosen];
        m->chosen++;
    }
    meet_objects(m);
    take_accesses(m);
    int64_t text = number(m), kind = number(m), has_pointer = number(m);
    uint64_t pointer = (uint64_t)number(m);
    int64_t holder = number(m), stable = number(m), at_bound = number(m);
    if (comes == CHOICE) {
        m->wanted = (int)wanted;
        longjmp(m->raised, CORE_NEEDS_CHOICE);
    }
    if (comes == WAITS_FOR) {
        m->blocked = (obstacle){TEXTS + (int)text, (int)stable, (int)has_pointer, pointer, (int)holder};
        longjmp(m->raised, CORE_BLOCKED);
    }
    begin_objects(m);
    write_objects(m);
    use_hidden(m);
    take_thread(m);
    int64_t phase = number(m), scratch = number(m), code = number(m), has_result = number(m);
    value result = word(m);
    if (has_result) set_word(m, RESULTS, m->thread, result);
    switch (comes) {
    case FAULTS: raise_fault(m, (int)kind); /* the model has looked whether anybody asks */
    case STICKS: stuck(m, STUCK_TEXTS + (int)text, at_bound != 0);
    case COMES_EXITS: return exits(m, (uint64_t)code);
    case COMES_AGAIN: set_phase(m, phase, scratch); return AGAIN;
    case COMES_ENDS: return ENDS;
    case CALLS: return call(m, r, back, phase, 1);
    case CALLS_BACK:
        if (scratch) refuse(m, BY_HOST);
        return call(m, r, back, phase, 0);
    case NEXT: break;
    default: refuse(m, BY_HOST);
    }
    int64_t count = number(m);
    if (count > results) refuse(m, ODD_FORM);
    for (int64_t k = 0; k < count; k++) put(m, r, to + k, word(m));
    set_phase(m, 0, 0);
    return m->at + 1 + (back != 0);
}

int64_t go_on_at_end(machine *m) {
    ask(m, -1, NULL, 0);
    int64_t comes = number(m);
    number(m); /* nothing is chosen */
    number(m);
    meet_objects(m);
    take_accesses(m);
    for (int k = 0; k < 7; k++) number(m); /* nothing goes wrong */
    begin_objects(m);
    write_objects(m);
    use_hidden(m);
    take_thread(m);
    for (int k = 0; k < 6; k++) number(m);
    if (comes != CALLS) return ENDS;
    int64_t function = number(m);
    if (function != m->f->end_of_thread) refuse(m, ODD_FORM);
    const int64_t *g = function_of(m->f, function);
    put(m, registers_of(m, m->thread), g[F_LINK], UNDEFINED);
    return g[F_FIRST_PC];
}

/* -------------------------------------------------------------------------- what the model looks at */

int64_t host_object(const machine *m, int64_t n, int64_t *to, int64_t room) {
    writer w = {to, room, 0};
    if (n < 1 || n >= m->objects || m->numbers[LIMITS][n] == GONE) return 0;
    int64_t first = m->numbers[FIRST][n], count = m->numbers[LIMITS][n];
    tell(&w, count);
    if (m->kinds[n] == KIND_LIBRARY) count = first ? m->numbers[DEPTH][n] : 0;
    for (int64_t k = first; k < first + count; k++) {
        tell_value(&w, m->words[CELLS][k]);
        tell(&w, m->layout[k]);
    }
    return w.count;
}

int64_t host_layout(const machine *m, int64_t n, int64_t size, int64_t *to, int64_t room) {
    writer w = {to, room, 0};
    uint32_t place[] = {(uint32_t)n, (uint32_t)size, (uint32_t)(size >> 32)};
    int64_t region = table_find(&m->regions, place, 3);
    if (region < 0 || n < 1 || n >= m->objects) return 0;
    for (int64_t k = 0; k < size; k++) tell(&w, m->layout[m->region_starts[region] + k]);
    return w.count;
}

int64_t host_identity(const machine *m, int64_t n, int64_t *to, int64_t room) {
    writer w = {to, room, 0};
    int64_t nth = n - m->f->kinds.length;
    if (nth < 0 || n >= m->objects) return 0;
    const uint32_t *words = m->identities.words + m->identities.starts[nth];
    for (uint32_t k = 0; k < words[-1]; k++) tell(&w, words[k]);
    for (int64_t k = 0; k < m->regions.count; k++) { /* the sizes that it has had */
        const uint32_t *place = m->regions.words + m->regions.starts[k];
        if (place[0] == (uint32_t)n) tell(&w, (int64_t)place[2] << 32 | place[1]);
    }
    return w.count;
}

int64_t host_threads(const machine *m, int64_t *to, int64_t room) {
    writer w = {to, room, 0};
    for (int t = 0; t < m->threads; t++) {
        tell_value(&w, m->words[RESULTS][t]);
        tell(&w, m->numbers[STATUS][t]);
        tell(&w, m->numbers[DETACHED][t]);
        tell(&w, m->numbers[JOINED][t]);
        tell(&w, m->numbers[ALLOCATED][t]);
        tell(&w, m->numbers[EXTRA][t]);
    }
    return w.count;
}

int64_t host_frames(const machine *m, int thread, int64_t *to, int64_t room) {
    writer w = {to, room, 0};
    const form *f = m->f;
    const value *r = registers_of(m, thread);
    int64_t pc = m->at, phase = 0, table = -1;
    for (int64_t depth = 0; depth <= f->function_count; depth++) {
        int64_t function = function_at(f, pc), locals = 0;
        tell(&w, pc);
        tell(&w, phase);
        locals_of(m, r, function, 0, &locals);
        tell(&w, locals);
        for (int64_t nth = 0; nth < locals; nth++) tell(&w, locals_of(m, r, function, nth, &locals));
        if (table >= 0)
            tell_registers(&w, m, r, table);
        else
            tell(&w, 0);
        value back = r[function_of(f, function)[F_LINK]];
        if (back.u || back.v < 1 || back.v >= (uint64_t)f->records) break;
        pc = (int64_t)back.v - 1;
        int resumes = record_of(f, (int64_t)back.v)[0] == RESUME;
        phase = resumes ? record_of(f, (int64_t)back.v)[3] : 0;
        table = resumes && phase ? record_of(f, pc)[2] : -1;
    }
    return w.count;
}
