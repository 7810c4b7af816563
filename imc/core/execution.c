#include "explorer.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES_OF_A_STEP = 8 }; /* of the log, about as many as a step takes time for */

/* Room for more positions: sets get wider, so they are laid out anew. */
void execution_widen(explorer *x) {
    int64_t room = x->room ? x->room * 2 : 256, width = room / 64 + 1, none = 0;
    uint64_t *past = grow(x->b, NULL, &none, room * width, sizeof *past);
    none = 0;
    uint64_t *own = grow(x->b, NULL, &none, room * width, sizeof *own);
    for (int64_t k = 0; k < x->count; k++) {
        memcpy(row(past, width, k), row(x->past, x->width, k), (size_t)x->width * sizeof *past);
        memcpy(row(own, width, k), row(x->own, x->width, k), (size_t)x->width * sizeof *own);
    }
    free(x->past);
    free(x->own);
    x->past = past;
    x->own = own;
    int64_t rooms[] = {x->room, x->room, x->room, x->room ? x->room + 1 : 0};
    x->events = grow(x->b, x->events, &rooms[0], room, sizeof *x->events);
    x->marks = grow(x->b, x->marks, &rooms[1], room, sizeof *x->marks);
    x->previous = grow(x->b, x->previous, &rooms[2], room, sizeof *x->previous);
    x->race_starts = grow(x->b, x->race_starts, &rooms[3], room + 1, sizeof *x->race_starts);
    for (size_t k = 0; k < sizeof x->scratch / sizeof *x->scratch; k++) {
        free(x->scratch[k]);
        x->scratch[k] = take(x->b, width, sizeof **x->scratch);
    }
    free(x->none);
    x->none = take(x->b, width, sizeof *x->none);
    x->room = room;
    x->width = width;
}

const uint64_t *own_past(const explorer *x, int thread) {
    int64_t at = x->last_of[thread] >= 0 ? x->last_of[thread] : x->spawned_at[thread];
    return at >= 0 ? row(x->past, x->width, at) : x->none;
}

static void unite(explorer *x, uint64_t *to, const uint64_t *from) {
    for (int64_t k = 0, words = words_in_use(x); k < words; k++) to[k] |= from[k];
}

/* The highest position of a set that is lower; -1 if there is none. */
int64_t highest(const explorer *x, const uint64_t *set, int64_t below) {
    (void)x;
    if (below <= 0) return -1;
    int64_t word = (below - 1) >> 6;
    uint64_t bits = set[word] & (~0ull >> (63 - ((below - 1) & 63)));
    for (;;) {
        if (bits) return word * 64 + 63 - __builtin_clzll(bits);
        if (--word < 0) return -1;
        bits = set[word];
    }
}

void touching(explorer *x, const cell_access *accesses, int64_t count, uint64_t *found) {
    memset(found, 0, (size_t)words_in_use(x) * sizeof *found);
    for (int64_t k = 0; k < count; k++) {
        const cell_access *a = &accesses[k];
        for (int64_t at = x->heads[a->object] - 1; at >= 0; at = x->touches[at].before) {
            const touched *t = &x->touches[at];
            if (t->offset < a->offset + a->size && a->offset < t->offset + t->size)
                include(found, t->position);
        }
    }
}

/* All that happens before an event is added to `known`; races with it, the latest first. */
static void happens_before(explorer *x, int32_t event_number, uint64_t *known) {
    const event *e = &x->e->all[event_number];
    int64_t races = x->race_starts[x->count];
    uint64_t *found = x->scratch[0];
    if (e->exits) {
        memset(found, 0xff, (size_t)words_in_use(x) * sizeof *found);
    } else {
        for (uint64_t others = e->joined; others; others &= others - 1)
            unite(x, known, own_past(x, __builtin_ctzll(others)));
        touching(x, x->e->accesses + e->accesses, e->access_count, found);
    }
    for (int64_t k = highest(x, found, x->count); k >= 0; k = highest(x, found, k)) {
        if (has(known, k)) continue;
        x->s->r.dependency_checks += !e->exits;
        if (!e->exits && !dependent(x->e, x->b, x->events[k], event_number)) continue;
        unite(x, known, row(x->past, x->width, k));
        if (races == x->race_room)
            x->races = grow(x->b, x->races, &x->race_room, races + 1, sizeof *x->races);
        x->races[races++] = k;
    }
    x->race_starts[x->count + 1] = races;
}

void execution_push(explorer *x, int32_t event_number, int64_t mark) {
    if (x->count + 2 >= x->room) execution_widen(x);
    const event *e = &x->e->all[event_number];
    int64_t position = x->count;
    uint64_t *past = row(x->past, x->width, position), *own = row(x->own, x->width, position);
    memset(past, 0, (size_t)x->width * sizeof *past);
    memcpy(past, own_past(x, e->thread), (size_t)words_in_use(x) * sizeof *past);
    memset(own, 0, (size_t)x->width * sizeof *own);
    memcpy(own, past, (size_t)words_in_use(x) * sizeof *own);
    happens_before(x, event_number, past);
    for (uint64_t others = e->joined; others; others &= others - 1)
        unite(x, own, own_past(x, __builtin_ctzll(others)));
    include(past, position);
    x->events[position] = event_number;
    x->marks[position] = mark;
    x->previous[position] = x->last_of[e->thread];
    x->last_of[e->thread] = position;
    for (int k = 0; k < e->access_count; k++) {
        const cell_access *a = &x->e->accesses[e->accesses + k];
        if (x->touch_count == x->touch_room)
            x->touches = grow(x->b, x->touches, &x->touch_room, x->touch_count + 1,
                              sizeof *x->touches);
        x->touches[x->touch_count] = (touched){position, a->offset, a->size, x->heads[a->object] - 1};
        x->heads[a->object] = ++x->touch_count;
    }
    for (uint64_t children = e->spawned; children; children &= children - 1)
        x->spawned_at[__builtin_ctzll(children)] = position;
    x->count++;
}

void execution_pop(explorer *x) {
    const event *e = event_at(x, --x->count);
    x->last_of[e->thread] = x->previous[x->count];
    for (int k = e->access_count - 1; k >= 0; k--) {
        const cell_access *a = &x->e->accesses[e->accesses + k];
        x->heads[a->object] = x->touches[--x->touch_count].before + 1;
    }
    for (uint64_t children = e->spawned; children; children &= children - 1)
        x->spawned_at[__builtin_ctzll(children)] = -1;
}

/* Later events that do not happen after the one at a position. */
void not_after(explorer *x, int64_t position, uint64_t *found) {
    memset(found, 0, (size_t)x->width * sizeof *found);
    for (int64_t k = position + 1; k < x->count; k++)
        if (!has(row(x->past, x->width, k), position)) include(found, k);
}

int may_wait(const explorer *x, int32_t event_number) {
    int64_t note = x->m->f->notes.at[x->e->all[event_number].pc];
    return (note & WAITS) != 0 || (x->awaits && (note & (IN_LOOP | ASSUMES)));
}

/* -------------------------------------------------------------------------- what could have been */

void go_back(explorer *x, int64_t position) {
    if (position < x->count) {
        x->s->r.work += (x->m->log_length - x->marks[position]) / ENTRIES_OF_A_STEP;
        machine_back(x->m, x->m->log_length, x->marks[position]);
    }
    x->end_mark = x->m->log_length;
}

void go_on_again(explorer *x, int64_t position) {
    machine_undo(x->m, x->end_mark);
    if (position < x->count) machine_forth(x->m, x->marks[position], x->end_mark);
}

void step_again(explorer *x, int32_t event_number) {
    const event *e = &x->e->all[event_number];
    int64_t choices[MOST_CHOICES], mark = x->m->log_length;
    for (int k = 0; k < e->choice_count; k++) choices[k] = x->e->choices[e->choices + k];
    int64_t old = x->awaiting ? place_before(x, e->thread) : 0;
    x->s->r.work++;
    int result = machine_step(x->m, e->thread, choices, e->choice_count);
    search_check(x->s, result);
    if (result != CORE_MOVED && result != CORE_FAULTY) search_end(x->s, CORE_REFUSED);
    if (x->awaiting) goes_round(x, mark, old, result == CORE_FAULTY);
}

void rerun(explorer *x, int64_t base, const uint64_t *chosen) {
    go_back(x, base);
    for (int64_t k = base; k < x->count; k++)
        if (has(chosen, k)) step_again(x, x->events[k]);
}

void leave_again(explorer *x, int64_t base) { go_on_again(x, base); }

static void try_way(explorer *x, int thread, int64_t *choices, int count, outcomes *o, int *ways,
                    int64_t old) {
    machine *m = x->m;
    int64_t mark = m->log_length;
    x->s->r.work++;
    int result = machine_step(m, thread, choices, count);
    search_check(x->s, result);
    if (result == CORE_NEEDS_CHOICE) {
        int wanted = m->wanted;
        if (count == MOST_CHOICES) search_end(x->s, CORE_REFUSED);
        for (int k = 0; k < wanted; k++) {
            choices[count] = k;
            try_way(x, thread, choices, count + 1, o, ways, old);
        }
        return;
    }
    if (result == CORE_BLOCKED) {
        if (*ways == 0) {
            o->why = m->blocked;
            if (m->access_count > 32) search_end(x->s, CORE_REFUSED);
            o->access_count = m->access_count;
            for (int k = 0; k < m->access_count; k++) {
                const access_t *a = &m->accesses[k];
                o->accesses[k] = (cell_access){a->object, a->mode, a->atomic, a->tells,
                                               a->offset, a->size};
            }
        }
        return;
    }
    int32_t event_number = event_of_step(x->e, m, 0);
    int first = (*ways)++ == 0;
    int idle = x->awaiting && goes_round(x, mark, old, result == CORE_FAULTY);
    machine_undo(m, mark);
    if (idle) {
        if (!first) return;
        const event *e = &x->e->all[event_number];
        o->why = (obstacle){FOR_VALUE, 1, 0, 0, -1};
        o->access_count = e->access_count < 32 ? e->access_count : 32;
        if (e->access_count > 32) search_end(x->s, CORE_REFUSED);
        int one = e->access_count > 0;
        for (int k = 0; k < e->access_count; k++) {
            o->accesses[k] = x->e->accesses[e->accesses + k];
            one &= o->accesses[k].object == o->accesses[0].object;
        }
        o->why.has_pointer = one;
        if (one)
            o->why.pointer = pointer_to(o->accesses[0].object) + (uint64_t)o->accesses[0].offset;
        return;
    }
    if (o->count == o->room) o->all = grow(x->b, o->all, &o->room, o->count + 1, sizeof *o->all);
    o->all[o->count++] = event_number;
}

void try_thread(explorer *x, int thread, outcomes *o) {
    int64_t choices[MOST_CHOICES + 1];
    int ways = 0;
    o->count = 0;
    o->access_count = 0;
    try_way(x, thread, choices, 0, o, &ways, x->awaiting ? place_before(x, thread) : 0);
    o->waits = o->count == 0;
}
