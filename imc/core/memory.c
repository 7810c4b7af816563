/* Memory: cells, which objects there are, and who uses them; as imc/compact/memory.py has it. */
#include "machine.h"

int is_object(const machine *m, uint64_t number) {
    return number > 0 && number < (uint64_t)m->objects;
}

static _Noreturn void bad_access(machine *m, value pointer) {
    if (pointer.u) uninitialised(m);
    fault(m, MEMORY);
}

/* A scalar is met for the first time: its bytes are what they were filled with. */
void discover(machine *m, int64_t at, int64_t size) {
    value *c = m->words[CELLS] + at;
    for (int64_t k = 1; k < size; k++)
        if (c[k].u != c[0].u || (!c[0].u && c[k].v != c[0].v)) refuse(m, FILLED_IN_PARTS);
    m->layout[at] = (int8_t)size;
    m->discovered += at >= m->f->variables && at < m->f->statics;
    for (int64_t k = 1; k < size; k++) m->layout[at + k] = -1;
}

/* A cell gets a value, and the key of the variables is out of date: steps have logged the old one. */
void change_cell(machine *m, int64_t at, value now) {
    if (at < m->f->statics) m->numbers[STATIC_KEY][0] = 0;
    set_word(m, CELLS, at, now);
}

void patch_cell(machine *m, int64_t at, value now) {
    value *c = &m->words[CELLS][at];
    if (c->u != now.u || (!now.u && c->v != now.v)) change_cell(m, at, now);
}

/* Whether some of these bytes are known to be of a scalar. */
static int is_cut(const machine *m, int64_t at, int64_t size) {
    for (int64_t k = 0; k < size; k++)
        if (m->layout[at + k]) return 1;
    return 0;
}

/* What `size` bytes hold from a cell on. */
static value held(machine *m, int64_t at, int64_t size) {
    if (m->layout[at] != size) {
        if (is_cut(m, at, size)) return read_pieces(m, at, size);
        discover(m, at, size);
    }
    return m->words[CELLS][at];
}

void put_cell(machine *m, int64_t at, int64_t size, value now) {
    if (m->layout[at] != size) {
        if (is_cut(m, at, size)) {
            write_pieces(m, at, size, now);
            return;
        }
        discover(m, at, size);
    }
    change_cell(m, at, now);
}

value read_cell(machine *m, value pointer, int64_t size) {
    uint64_t object = object_of(pointer.v);
    int64_t offset = offset_of(pointer.v);
    if (!pointer.u && object < (uint64_t)m->objects && offset >= 0 &&
        offset <= m->numbers[LIMITS][object] - size) {
        if (m->kinds[object] == KIND_LIBRARY) refuse(m, ODD_FORM); /* it has no cells */
        return held(m, m->numbers[FIRST][object] + offset, size);
    }
    bad_access(m, pointer);
}

void demand(machine *m, value pointer, int64_t size) {
    uint64_t object = object_of(pointer.v);
    int64_t offset = offset_of(pointer.v);
    if (pointer.u || object >= (uint64_t)m->objects || offset < 0 ||
        offset > m->numbers[LIMITS][object] - size)
        bad_access(m, pointer);
}

void write_cell(machine *m, value pointer, int64_t size, value now) {
    uint64_t object = object_of(pointer.v);
    int64_t offset = offset_of(pointer.v);
    if (!pointer.u && object < (uint64_t)m->objects && offset >= 0 &&
        offset <= m->numbers[ROOM][object] - size) {
        put_cell(m, m->numbers[FIRST][object] + offset, size, now);
        return;
    }
    read_cell(m, pointer, size);
    fault(m, MEMORY);
}

void touch(machine *m, int mode, uint64_t pointer, int64_t size, int atomic, int tells, value held) {
    if (m->access_count == MOST_ACCESSES) refuse(m, TOO_MUCH_AT_ONCE);
    access_t *a = &m->accesses[m->access_count++];
    a->mode = mode;
    a->object = (uint32_t)object_of(pointer);
    a->offset = offset_of(pointer);
    a->size = size;
    a->atomic = atomic || m->atomic;
    a->tells = tells;
    a->held = held;
}

/* ------------------------------------------------------------------------------- addresses */

value moved(machine *m, value pointer, int64_t distance) {
    if (pointer.u) return UNDEFINED;
    uint64_t to = pointer.v + (uint64_t)distance;
    int wraps = distance < 0 ? to > pointer.v : to < pointer.v;
    if (pointer.v >> SHIFT) {
        if (wraps || pointer.v >> SHIFT != to >> SHIFT) refuse(m, FAR_ADDRESS);
    } else {
        number_is_no_address(m, to);
    }
    return NUMBER(to);
}

value indexed(machine *m, value pointer, value index, int64_t scale, int wide) {
    if (index.u) uninitialised(m);
    int64_t by;
    if (wide) {
        by = (int64_t)index.v;
        if (by >= 0 && index.v >> SHIFT) refuse(m, LARGE_INDEX);
        if (by < -(1ll << 32)) refuse(m, FAR_ADDRESS);
    } else {
        by = to_signed(index.v & LOW, 32);
    }
    if (pointer.u) return UNDEFINED;
    __int128 distance = (__int128)by * scale;
    if (distance > (__int128)1 << 40 || distance < -((__int128)1 << 40)) refuse(m, FAR_ADDRESS);
    return moved(m, pointer, (int64_t)distance);
}

/* --------------------------------------------------------------------------------- objects */

int64_t know(machine *m, const uint32_t *identity, int length, int kind, int owner) {
    int64_t count = m->identities.count;
    int64_t known = table_number(&m->identities, m->b, identity, length);
    int64_t number = m->f->kinds.length + known;
    if (known == count) {
        if (number >= MOST_OBJECTS) refuse(m, LARGE_MEMORY);
        m->kinds[number] = (int8_t)kind;
        m->owners[number] = owner;
        m->numbers[LIMITS][number] = m->numbers[ROOM][number] = GONE;
        m->numbers[FIRST][number] = m->numbers[DEPTH][number] = 0;
        m->objects = number + 1;
    }
    return number;
}

/* How many functions are active in the running thread. */
static int64_t depth_of(machine *m) {
    const form *f = m->f;
    const value *r = registers_of(m, m->thread);
    int64_t function = function_at(f, m->at), depth = 1;
    for (value back; !(back = r[function_of(f, function)[F_LINK]]).u; depth++) {
        if (back.v < 1 || back.v >= (uint64_t)f->records || depth > f->function_count)
            refuse(m, ODD_FORM);
        function = function_at(f, (int64_t)back.v - 1);
    }
    return depth;
}

static void fill(machine *m, int64_t first, int64_t size, value now) {
    for (int64_t at = first; at < first + size; at++) {
        value *c = &m->words[CELLS][at];
        if (c->u != now.u || (!now.u && c->v != now.v)) change_cell(m, at, now);
    }
}

int64_t region_of(machine *m, int64_t number, int64_t size, value now) {
    uint32_t place[] = {(uint32_t)number, (uint32_t)size, (uint32_t)(size >> 32)};
    int64_t region = table_find(&m->regions, place, 3);
    if (region >= 0) {
        fill(m, m->region_starts[region], size, now);
        return m->region_starts[region];
    }
    if (m->cells + size > MOST_CELLS) refuse(m, LARGE_MEMORY);
    region = table_number(&m->regions, m->b, place, 3);
    if (region >= m->region_room)
        m->region_starts = grow(m->b, m->region_starts, &m->region_room, region + 1,
                                sizeof *m->region_starts);
    int64_t first = m->region_starts[region] = m->cells;
    m->cells += size;
    for (int64_t k = 0; k < size; k++) m->words[CELLS][first + k] = now;
    return first;
}

uint64_t allocate(machine *m, int kind, int64_t size, int zero) {
    int thread = m->thread;
    set(m, ALLOCATED, thread, m->numbers[ALLOCATED][thread] + 1);
    uint32_t site = (uint32_t)m->f->sites.at[m->at];
    uint32_t identity[] = {(uint32_t)kind, (uint32_t)thread,
                           (uint32_t)m->numbers[ALLOCATED][thread], site};
    int64_t before = m->objects;
    int64_t number = know(m, identity, 4, kind, kind == KIND_STACK ? thread : -1);
    if (number == before) m->zeros[number] = (int8_t)zero;
    int64_t first = region_of(m, number, size, zero ? NUMBER(0) : UNDEFINED);
    if (m->numbers[FIRST][number] != first) set(m, FIRST, number, first);
    int64_t depth = kind == KIND_STACK ? depth_of(m) : 0;
    if (m->numbers[DEPTH][number] != depth) set(m, DEPTH, number, depth);
    set(m, LIMITS, number, size);
    set(m, ROOM, number, size);
    return pointer_to((uint64_t)number);
}

/* The first of `size` cells, and whether they are all of an object; else the model says. */
static int64_t place_of(machine *m, value pointer, uint64_t size, int part, int *whole) {
    uint64_t object = object_of(pointer.v);
    int64_t offset = offset_of(pointer.v);
    if (pointer.u || object >= (uint64_t)m->objects || offset < 0 || size > MOST_CELLS ||
        offset > m->numbers[part][object] - (int64_t)size || m->kinds[object] == KIND_LIBRARY)
        refuse(m, COPY_GOES_WRONG);
    int64_t first = m->numbers[FIRST][object] + offset;
    int64_t end = m->numbers[FIRST][object] + m->numbers[part][object];
    if (m->layout[first] == -1 ||
        (first + (int64_t)size < end && m->layout[first + (int64_t)size] == -1))
        refuse(m, PART_COPIED);
    *whole = (int64_t)size == m->numbers[part][object];
    return first;
}

static int same(value x, value y) { return x.u == y.u && (x.u || x.v == y.v); }

void set_bytes(machine *m, value to, uint64_t size, uint64_t byte) {
    uint64_t object = object_of(to.v);
    int64_t offset = offset_of(to.v);
    if (to.u || object >= (uint64_t)m->objects || offset < 0 || size > MOST_CELLS ||
        offset > m->numbers[ROOM][object] - (int64_t)size || m->kinds[object] == KIND_LIBRARY)
        refuse(m, COPY_GOES_WRONG);
    int64_t at = m->numbers[FIRST][object] + offset, end = at + (int64_t)size;
    if (byte == 0 && (int64_t)size == m->numbers[ROOM][object]) {
        fill(m, at, (int64_t)size, NUMBER(0));
        return;
    }
    while (at < end) {
        int piece = 8, open = byte == 0;
        while (piece > end - at || (at - m->numbers[FIRST][object]) % piece) piece /= 2;
        for (int k = 0; k < piece; k++) /* zeros that nobody has looked at stay open */
            open &= !m->layout[at + k] && same(m->words[CELLS][at + k], NUMBER(0));
        if (!open) put_cell(m, at, piece, NUMBER(byte * 0x0101010101010101u & mask_of(8 * piece)));
        at += piece;
    }
}

void copy_cells(machine *m, value pointer, value origin, uint64_t size) {
    int whole, ignored, filled = 0;
    int64_t to = place_of(m, pointer, size, ROOM, &whole);
    int64_t from = place_of(m, origin, size, LIMITS, &ignored);
    value fills = UNDEFINED, *c = m->words[CELLS];
    int64_t length = (int64_t)size, count = 0;
    if (m->arrival_room < length)
        m->arrivals = grow(m->b, m->arrivals, &m->arrival_room, length, sizeof *m->arrivals);
    for (int64_t at = 0; at < length;) {
        int64_t here = m->layout[to + at];
        if (here == 0 && !m->layout[from + at] && to + at < m->f->statics &&
            !same(c[to + at], c[from + at])) {
            cut(m, to + at, 1); /* keys of states know only scalars of variables */
            here = 1;
        }
        if (here == 0 && m->layout[from + at]) { /* as large as what comes there, if it can be */
            int64_t end = at + 1;
            while (end < length && m->layout[to + end] == 0 && m->layout[from + end] == -1) end++;
            cut(m, to + at, end - at);
            here = m->layout[to + at];
        }
        value v = here ? held(m, from + at, here) : c[from + at];
        if (here == 0) {
            if (filled && !same(fills, v)) refuse(m, FILLED_IN_PARTS);
            fills = v;
            filled = 1;
            if (!whole && !same(v, c[to + at])) refuse(m, PART_FILLED);
        }
        m->arrivals[count++] = (arrival){to + at, v};
        at += here ? here : 1;
    }
    for (int64_t k = 0; k < count; k++)
        patch_cell(m, m->arrivals[k].cell, m->arrivals[k].now);
}

void begin_scope(machine *m, uint64_t object, int64_t size) {
    if (!is_object(m, object) || m->kinds[object] != KIND_STACK) refuse(m, ODD_FORM);
    if (m->numbers[LIMITS][object] == GONE) {
        set(m, LIMITS, (int64_t)object, size);
        set(m, ROOM, (int64_t)object, size);
    }
    if (m->numbers[LIMITS][object] < size || m->numbers[FIRST][object] + size > m->cells)
        refuse(m, ODD_FORM);
    fill(m, m->numbers[FIRST][object], size, UNDEFINED);
}

void release(machine *m, uint64_t object) {
    if (!is_object(m, object) || m->numbers[LIMITS][object] == GONE) return;
    int seen = 0;
    for (int k = 0; k < m->access_count; k++) seen |= m->accesses[k].object == object;
    if (!seen) use_unseen(m, object, 1);
    set(m, LIMITS, (int64_t)object, GONE);
    set(m, ROOM, (int64_t)object, GONE);
}

enum { HIDDEN_BYTES = 8192 };

uint64_t hidden(machine *m, int what, int thread) {
    uint32_t identity[] = {KIND_LIBRARY, (uint32_t)what, (uint32_t)thread};
    int64_t before = m->objects, number = know(m, identity, 3, KIND_LIBRARY, -1);
    if (number == before) m->zeros[number] = 1;
    if (m->numbers[LIMITS][number] < 0) set(m, LIMITS, number, HIDDEN_BYTES);
    return pointer_to((uint64_t)number);
}

void free_object(machine *m, value pointer) {
    if (!pointer.u && pointer.v == 0) return;
    uint64_t object = object_of(pointer.v);
    if (pointer.u || !is_object(m, object) || m->kinds[object] != KIND_HEAP ||
        m->numbers[LIMITS][object] < 0 || offset_of(pointer.v) || m->owners[object] == LIBRARY_OWNS)
        fault(m, MEMORY);
    int64_t size = m->numbers[LIMITS][object];
    touch(m, WRITE, pointer.v, size > 1 ? size : 1, 0, 0, UNDEFINED);
    release(m, object);
}

/* ----------------------------------------------------------------- the tripwire: see watch.py */

enum { USED_READ, USED_WRITTEN, USED_HIDDEN_READ, USED_HIDDEN_WRITTEN };

void use_unseen(machine *m, uint64_t object, int writes) {
    if ((!m->any_spawned && !m->atomic) || !is_object(m, object)) return;
    uint64_t *uses = m->uses + 4 * object;
    if (uses[writes ? USED_HIDDEN_WRITTEN : USED_HIDDEN_READ] >> m->thread & 1) return;
    uint32_t use = (uint32_t)object * 2 + (uint32_t)writes;
    for (int k = 0; k < m->unseen_count; k++)
        if (m->unseen[k] == use) return;
    if (m->unseen_count == (int)(sizeof m->unseen / sizeof *m->unseen)) refuse(m, TOO_MUCH_AT_ONCE);
    m->unseen[m->unseen_count++] = use;
}

static int is_seen(machine *m, uint64_t object, int writes) {
    uint64_t *uses = m->uses + 4 * object, bit = 1ull << m->thread;
    uint64_t *known = &uses[writes ? USED_WRITTEN : USED_READ];
    if (*known & bit) return 0;
    *known |= bit;
    uint64_t others = uses[USED_HIDDEN_WRITTEN];
    if (writes) others |= uses[USED_HIDDEN_READ];
    return (others & ~bit) != 0;
}

static int is_unseen(machine *m, uint64_t object, int writes) {
    uint64_t *uses = m->uses + 4 * object, bit = 1ull << m->thread;
    uint64_t *known = &uses[writes ? USED_HIDDEN_WRITTEN : USED_HIDDEN_READ];
    if (*known & bit) return 0;
    *known |= bit;
    if (is_seen(m, object, writes)) return 1;
    uint64_t users = uses[USED_WRITTEN] | (writes ? uses[USED_READ] : 0);
    return (users & ~bit) != 0;
}

/* Compares what the running thread has done with what the others do. */
void reveal(machine *m) {
    int found = 0;
    if (m->any_spawned) {
        if (m->thread == m->mover)
            for (int k = 0; k < m->access_count; k++) {
                const access_t *a = &m->accesses[k];
                if (is_object(m, a->object)) found |= is_seen(m, a->object, a->mode != READ);
            }
        for (int k = 0; k < m->unseen_count; k++)
            found |= is_unseen(m, m->unseen[k] / 2, (int)(m->unseen[k] & 1));
    }
    m->unseen_count = 0;
    if (found) longjmp(m->raised, CORE_OUT_OF_SIGHT);
}
