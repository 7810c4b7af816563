#include "keys.h"

#include <stdlib.h>
#include <string.h>

/* In the upper half of a word's pair: what the lower half means. Numbers that look so are marked. */
enum { MARK_UNDEFINED = 0x80000001u, MARK_REFERENCE, MARK_NUMBER, MARK_ZEROS };

int keys_init(keys *k, machine *m) {
    memset(k, 0, sizeof *k);
    k->listed = calloc((size_t)m->f->statics + 1, 1);
    k->names = calloc(MOST_OBJECTS, sizeof *k->names);
    k->order = calloc(MOST_OBJECTS, sizeof *k->order);
    k->memos = calloc(MOST_OBJECTS, sizeof *k->memos);
    k->seen_cells = calloc(MOST_CELLS, sizeof *k->seen_cells);
    k->seen_layout = calloc(MOST_CELLS, 1);
    return !(k->listed && k->names && k->order && k->memos && k->seen_cells && k->seen_layout);
}

void keys_free(keys *k) {
    table_free(&k->exact);
    table_free(&k->shapes);
    table_free(&k->states);
    table_free(&k->finals);
    free(k->shape_of);
    free(k->reference_starts);
    free(k->references);
    free(k->part.words);
    free(k->shape.words);
    free(k->vector.words);
    free(k->scalars);
    free(k->listed);
    free(k->seen);
    free(k->tree);
    free(k->memos);
    free(k->seen_cells);
    free(k->seen_layout);
    free(k->names);
    free(k->order);
    memset(k, 0, sizeof *k);
}

static int is_dynamic(const machine *m, uint64_t object) {
    return is_object(m, object) &&
           (m->kinds[object] == KIND_STACK || m->kinds[object] == KIND_HEAP);
}

/* ------------------------------------------------------------------------------------------ parts */

static void add_value(keys *k, machine *m, value v) {
    budget *b = m->b;
    if (v.u) {
        sequence_add_long(&k->part, b, (uint64_t)MARK_UNDEFINED << 32);
    } else if (v.v >> SHIFT && is_dynamic(m, object_of(v.v))) {
        sequence_add_long(&k->part, b, (uint64_t)MARK_REFERENCE << 32 | (v.v & LOW));
        sequence_add_long(&k->part, b, object_of(v.v));
    } else {
        uint32_t high = (uint32_t)(v.v >> 32);
        if (high >= MARK_UNDEFINED && high <= MARK_ZEROS)
            sequence_add_long(&k->part, b, (uint64_t)MARK_NUMBER << 32);
        sequence_add_long(&k->part, b, v.v);
    }
}

enum { FANOUT = 8, CHUNK = 8, MOST_PARTS = 1 << 29 }; /* above lie the marks of what is no part */
enum { PART_THREAD = 1, PART_STATIC, PART_OBJECT, PART_NODE, NO_CHUNK = -1 };

static void note_references(keys *k, budget *b, int64_t number) {
    if (number + 2 > k->reference_start_room)
        k->reference_starts = grow(b, k->reference_starts, &k->reference_start_room, number + 2,
                                   sizeof *k->reference_starts);
    k->reference_starts[number + 1] = k->reference_count;
}

/* A new part has a shape: one of its own, twice its number, if it refers to nothing. */
static int64_t note_shape(keys *k, budget *b, int64_t number) {
    if (number >= MOST_PARTS) longjmp(b->exhausted, 1);
    if (number >= k->shape_room)
        k->shape_of = grow(b, k->shape_of, &k->shape_room, number + 1, sizeof *k->shape_of);
    note_references(k, b, number);
    if (k->reference_starts[number] == k->reference_count)
        k->shape_of[number] = (int32_t)(2 * number);
    else
        k->shape_of[number] =
            (int32_t)(2 * table_number(&k->shapes, b, k->shape.words, k->shape.length) + 1);
    return number;
}

static void add_reference(keys *k, budget *b, uint32_t object) {
    if (k->reference_count == k->reference_room)
        k->references = grow(b, k->references, &k->reference_room, k->reference_count + 1,
                             sizeof *k->references);
    k->references[k->reference_count++] = object;
}

/* The number of the part in the making; it begins with `head` words that are no values. */
static int64_t part_number(keys *k, machine *m, int64_t head) {
    budget *b = m->b;
    int64_t count = k->exact.count;
    int64_t number = table_number(&k->exact, b, k->part.words, k->part.length);
    if (number < count) return number;
    sequence *s = &k->shape;
    s->length = 0;
    for (int64_t at = 0; at < head; at++) sequence_add(s, b, k->part.words[at]);
    for (int64_t at = head; at < k->part.length; at += 2) {
        uint32_t low = k->part.words[at], high = k->part.words[at + 1];
        sequence_add(s, b, low);
        sequence_add(s, b, high);
        if (high == MARK_NUMBER) {
            at += 2;
            sequence_add(s, b, k->part.words[at]);
            sequence_add(s, b, k->part.words[at + 1]);
        } else if (high == MARK_REFERENCE) {
            at += 2;
            add_reference(k, b, k->part.words[at]);
        }
    }
    return note_shape(k, b, number);
}

/* Up to eight parts as one, by their numbers + 1; those that are not there are left out, and one by
 * itself stays what it is: so the number does not depend on how large the tree is. */
static int64_t joined(keys *k, machine *m, const int64_t *parts) {
    budget *b = m->b;
    uint32_t words[1 + FANOUT] = {PART_NODE};
    int64_t length = 1;
    for (int n = 0; n < FANOUT; n++)
        if (parts[n]) words[length++] = (uint32_t)(parts[n] - 1);
    if (length <= 2) return length == 2 ? (int64_t)words[1] + 1 : 0;
    int64_t count = k->exact.count, number = table_number(&k->exact, b, words, length);
    if (number < count) return number + 1;
    k->shape.length = 0;
    sequence_add(&k->shape, b, PART_NODE);
    for (int64_t n = 1; n < length; n++) {
        sequence_add(&k->shape, b, (uint32_t)k->shape_of[words[n]]);
        for (int64_t at = k->reference_starts[words[n]]; at < k->reference_starts[words[n] + 1]; at++)
            add_reference(k, b, k->references[at]);
    }
    return note_shape(k, b, number) + 1;
}

enum { PART_PHASE = 4, PART_EXTRA = 10, PART_PC }; /* where these are in a thread's part */

int64_t place_with(keys *k, machine *m, int thread, int64_t pc, const value *r) {
    static const int facts[] = {STATUS, SPAWNS, PHASE, SCRATCH, PAUSED, DETACHED, JOINED, REASON,
                                EXTRA};
    budget *b = m->b;
    k->part.length = 0;
    sequence_add(&k->part, b, PART_THREAD);
    sequence_add(&k->part, b, (uint32_t)thread);
    for (size_t n = 0; n < sizeof facts / sizeof *facts; n++)
        sequence_add(&k->part, b, (uint32_t)m->numbers[facts[n]][thread]);
    int running = m->numbers[STATUS][thread] == RUNNING;
    sequence_add(&k->part, b, running ? (uint32_t)pc : 0);
    int64_t head = k->part.length;
    add_value(k, m, m->words[RESULTS][thread]);
    for (int64_t depth = 0; running; depth++) {
        int64_t at = m->f->live.at[pc];
        if (at < 0 || depth > m->f->function_count) refuse(m, ODD_FORM);
        const int64_t *live = m->f->tables.at + at;
        for (int64_t n = 1; n <= live[0]; n++) add_value(k, m, r[live[n]]);
        value back = r[live[live[0]]];
        if (back.u) break;
        if (back.v < 1 || back.v > (uint64_t)m->f->records) refuse(m, ODD_FORM);
        pc = (int64_t)back.v - 1; /* the caller stands at its call */
    }
    return part_number(k, m, head);
}

int64_t place_of_thread(keys *k, machine *m, int thread) {
    int64_t *known = &m->numbers[KEY][thread];
    if (!*known)
        *known = place_with(k, m, thread, m->numbers[PCS][thread], registers_of(m, thread)) + 1;
    return *known - 1;
}

/* The value that a part has at `*word`, which is moved behind it. */
static value value_of_part(const uint32_t **word) {
    uint32_t low = (*word)[0], high = (*word)[1];
    *word += 2;
    if (high == MARK_UNDEFINED) return UNDEFINED;
    if (high != MARK_NUMBER && high != MARK_REFERENCE) return NUMBER((uint64_t)high << 32 | low);
    uint64_t next = (uint64_t)(*word)[1] << 32 | (*word)[0];
    *word += 2;
    return NUMBER(high == MARK_NUMBER ? next : next << SHIFT | low);
}

void stand_again(const keys *k, machine *m, int thread, int64_t place) {
    const uint32_t *word = k->exact.words + k->exact.starts[place];
    int64_t registers = (int64_t)thread * m->f->registers.length;
    int64_t pc = word[PART_PC];
    set(m, PCS, thread, pc);
    set(m, PHASE, thread, word[PART_PHASE]);
    set(m, SCRATCH, thread, word[PART_PHASE + 1]);
    set(m, EXTRA, thread, word[PART_EXTRA]);
    set(m, KEY, thread, 0);
    word += PART_PC + 1;
    value_of_part(&word); /* the thread's result, which only its end changes */
    for (;;) {
        const int64_t *live = m->f->tables.at + m->f->live.at[pc];
        value held = UNDEFINED;
        for (int64_t n = 1; n <= live[0]; n++) {
            held = value_of_part(&word);
            set_word(m, REGISTERS, registers + live[n], held);
        }
        if (held.u) return;
        pc = (int64_t)held.v - 1;
    }
}

uint32_t shape_of_thread(keys *k, machine *m, int thread) {
    return (uint32_t)k->shape_of[place_of_thread(k, m, thread)];
}

/* Cells of variables that have come to be scalars since the last time. */
static void list_scalars(keys *k, machine *m) {
    if (m->discovered == k->scalar_count) return;
    for (int64_t at = m->f->variables; at < m->f->statics; at++) {
        if (m->layout[at] <= 0 || k->listed[at]) continue;
        k->listed[at] = 1;
        if (k->scalar_count == k->scalar_room)
            k->scalars = grow(m->b, k->scalars, &k->scalar_room, k->scalar_count + 1,
                              sizeof *k->scalars);
        k->scalars[k->scalar_count++] = (uint32_t)at;
    }
    if (k->scalar_count > k->seen_room)
        k->seen = grow(m->b, k->seen, &k->seen_room, k->scalar_count, sizeof *k->seen);
}

/* The scalars of a leaf; what holds zero is left out, like what nobody has looked at. */
static int64_t chunk_number(keys *k, machine *m, int64_t chunk) {
    int64_t end = (chunk + 1) * CHUNK < k->scalar_count ? (chunk + 1) * CHUNK : k->scalar_count;
    k->part.length = 0;
    sequence_add(&k->part, m->b, PART_STATIC);
    sequence_add(&k->part, m->b, (uint32_t)chunk);
    for (int64_t n = chunk * CHUNK; n < end; n++) {
        value v = m->words[CELLS][k->scalars[n]];
        if (!v.u && v.v == 0) continue;
        sequence_add_long(&k->part, m->b, (uint64_t)n);
        add_value(k, m, v);
    }
    return k->part.length > 2 ? part_number(k, m, 2) + 1 : 0;
}

static void refresh(keys *k, machine *m, int64_t chunk) {
    int64_t node = k->first_leaf + chunk, number = chunk_number(k, m, chunk);
    while (k->tree[node] != number) {
        k->tree[node] = number;
        if (node == 0) return;
        node = (node - 1) / FANOUT;
        number = joined(k, m, &k->tree[FANOUT * node + 1]);
    }
}

/* A tree with more leaves: all that is in it comes again, to the same numbers. */
static void make_leaves(keys *k, machine *m) {
    int64_t first = k->first_leaf, leaves = k->leaves ? k->leaves : 1, room = 0;
    while (leaves * CHUNK < k->scalar_count) {
        first += leaves;
        leaves *= FANOUT;
    }
    if (leaves == k->leaves) return;
    int64_t *fresh = grow(m->b, NULL, &room, first + leaves, sizeof *fresh);
    for (int64_t n = 0; n < k->leaves; n++) fresh[first + n] = k->tree[k->first_leaf + n];
    free(k->tree);
    k->tree = fresh;
    k->first_leaf = first;
    k->leaves = leaves;
    for (int64_t node = first - 1; node >= 0; node--)
        k->tree[node] = joined(k, m, &k->tree[FANOUT * node + 1]);
}

/* All variables: only those leaves are made anew in which something has changed. */
static int64_t static_part(keys *k, machine *m) {
    int64_t *known = &m->numbers[STATIC_KEY][0];
    if (*known) return *known - 1;
    list_scalars(k, m);
    make_leaves(k, m);
    int64_t changed = NO_CHUNK;
    for (int64_t n = 0; n < k->scalar_count; n++) {
        value now = m->words[CELLS][k->scalars[n]], *seen = &k->seen[n];
        if (now.v == seen->v && now.u == seen->u) continue;
        *seen = now;
        if (changed != NO_CHUNK && changed != n / CHUNK) refresh(k, m, changed);
        changed = n / CHUNK;
    }
    if (changed != NO_CHUNK) refresh(k, m, changed);
    int64_t root = k->tree[0];
    if (!root) {
        k->part.length = 0;
        sequence_add(&k->part, m->b, PART_STATIC);
        sequence_add(&k->part, m->b, UINT32_MAX);
        root = part_number(k, m, 2) + 1;
    }
    *known = root;
    return root - 1;
}

/* How many cells of an object count: of the library's, its depth is how many are in use. */
static int64_t cells_in_use(const machine *m, uint32_t object) {
    if (m->kinds[object] != KIND_LIBRARY) return m->numbers[LIMITS][object];
    return m->numbers[FIRST][object] ? m->numbers[DEPTH][object] : 0;
}

/* Whether an object is as it was when its part was made. */
static int is_as_seen(const keys *k, const machine *m, uint32_t object) {
    const object_memo *o = &k->memos[object];
    int64_t first = m->numbers[FIRST][object], size = cells_in_use(m, object);
    if (!o->number || o->first != first || o->size != size ||
        o->limit != m->numbers[LIMITS][object] || o->depth != m->numbers[DEPTH][object] ||
        o->owner != m->owners[object] || o->kind != m->kinds[object] ||
        o->zero != m->zeros[object])
        return 0;
    for (int64_t at = first; at < first + size;) {
        value now = m->words[CELLS][at];
        if (now.v != k->seen_cells[at].v || now.u != k->seen_cells[at].u ||
            m->layout[at] != k->seen_layout[at])
            return 0;
        at += m->layout[at] > 0 ? m->layout[at] : 1;
    }
    return 1;
}

static int64_t object_part(keys *k, machine *m, uint32_t object) {
    if (is_as_seen(k, m, object)) return k->memos[object].number - 1;
    int64_t first = m->numbers[FIRST][object], size = cells_in_use(m, object);
    int zero = m->zeros[object], is_library = m->kinds[object] == KIND_LIBRARY;
    k->memos[object].number = 0;
    k->part.length = 0;
    sequence_add(&k->part, m->b, PART_OBJECT);
    sequence_add(&k->part, m->b, (uint32_t)m->kinds[object]);
    sequence_add(&k->part, m->b, (uint32_t)m->owners[object]);
    sequence_add(&k->part, m->b, is_library ? 0 : (uint32_t)m->numbers[DEPTH][object]);
    sequence_add(&k->part, m->b, (uint32_t)m->numbers[LIMITS][object]);
    sequence_add(&k->part, m->b, (uint32_t)zero);
    int64_t head = k->part.length;
    int64_t zeros = 0;
    for (int64_t at = 0; at <= size;) {
        value held = at < size ? m->words[CELLS][first + at] : UNDEFINED;
        int length = at < size && m->layout[first + at] > 0 ? m->layout[first + at] : 1;
        if (at < size) {
            k->seen_cells[first + at] = held;
            k->seen_layout[first + at] = m->layout[first + at];
        }
        /* Byte by byte, since it does not matter how numbers are cut into scalars. */
        int refers = !held.u && held.v >> SHIFT && is_dynamic(m, object_of(held.v));
        for (int n = 0; n < (refers ? 1 : length); n++) {
            value v = held;
            if (!held.u && !refers) v = NUMBER(n < 8 ? held.v >> 8 * n & 0xff : 0);
            if (!v.u && v.v == 0) {
                zeros++;
                continue;
            }
            if (zeros && !zero) {
                sequence_add_long(&k->part, m->b, (uint64_t)MARK_ZEROS << 32 | (uint64_t)zeros);
                sequence_add_long(&k->part, m->b, (uint64_t)(at + n));
            }
            zeros = 0;
            if (!v.u || (zero && at < size)) {
                sequence_add_long(&k->part, m->b, (uint64_t)(at + n));
                add_value(k, m, v);
            }
        }
        at += length;
    }
    int64_t number = part_number(k, m, head);
    k->memos[object] = (object_memo){
        number + 1, first, size, m->numbers[LIMITS][object], m->numbers[DEPTH][object],
        m->owners[object], m->kinds[object], m->zeros[object]};
    return number;
}

/* ----------------------------------------------------------------------------------------- states */

static uint32_t name_of(keys *k, uint32_t object) {
    if (!k->names[object]) {
        k->order[k->named++] = object;
        k->names[object] = (uint32_t)k->named;
    }
    return k->names[object];
}

static void add_part(keys *k, machine *m, int64_t part) {
    sequence_add(&k->vector, m->b, (uint32_t)k->shape_of[part]);
    for (int64_t n = k->reference_starts[part]; n < k->reference_starts[part + 1]; n++) {
        uint32_t object = k->references[n];
        sequence_add(&k->vector, m->b, name_of(k, object));
    }
}

static void begin_vector(keys *k, machine *m) {
    k->vector.length = k->named = 0;
    value code = m->words[EXIT_CODE][0];
    sequence_add(&k->vector, m->b, code.u ? 256 : (uint32_t)code.v);
}

/* What the library keeps for itself, and threads' own variables: whether it is there, and what is
 * in it. */
static void add_hidden(keys *k, machine *m) {
    for (int64_t n = m->f->kinds.length; n < m->objects; n++) {
        if ((m->kinds[n] != KIND_LIBRARY && !m->kept[n]) || m->numbers[LIMITS][n] == GONE) continue;
        sequence_add(&k->vector, m->b, (uint32_t)n | 0x80000000u);
        if (m->kept[n]) add_part(k, m, object_part(k, m, (uint32_t)n));
    }
}

static void forget_names(keys *k) {
    for (int64_t n = 0; n < k->named; n++) k->names[k->order[n]] = 0;
}

int64_t state_number(keys *k, machine *m) {
    begin_vector(k, m);
    for (int t = 0; t < m->threads; t++)
        if (m->numbers[STATUS][t] != ABSENT) add_part(k, m, place_of_thread(k, m, t));
    add_part(k, m, static_part(k, m));
    add_hidden(k, m);
    for (int64_t n = 0; n < k->named; n++) { /* grows while we walk it */
        uint32_t object = k->order[n];
        if (m->numbers[LIMITS][object] == GONE)
            sequence_add(&k->vector, m->b, 0x40000000u | (uint32_t)m->kinds[object]);
        else
            add_part(k, m, object_part(k, m, object));
    }
    forget_names(k);
    return table_number(&k->states, m->b, k->vector.words, k->vector.length);
}

int64_t final_number(keys *k, machine *m, int with_output) {
    begin_vector(k, m);
    add_part(k, m, static_part(k, m));
    add_hidden(k, m);
    if (with_output) sequence_add_long(&k->vector, m->b, m->words[CELLS][OUTPUT_CELL(m)].v);
    forget_names(k);
    return table_number(&k->finals, m->b, k->vector.words, k->vector.length);
}
