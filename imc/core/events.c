#include "events.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 8192 };

static int32_t intern(events *e, budget *b, event made, const int64_t *choices,
                      const cell_access *accesses) {
    sequence *w = &e->words;
    w->length = 0;
    sequence_add(w, b, (uint32_t)made.thread);
    sequence_add(w, b, (uint32_t)made.index);
    sequence_add(w, b, (uint32_t)made.pc);
    sequence_add(w, b, (uint32_t)(made.exits | made.starts << 1 | made.wakes << 2 |
                                  made.was_paused << 3));
    sequence_add_long(w, b, made.spawned);
    sequence_add_long(w, b, made.joined);
    sequence_add(w, b, (uint32_t)made.choice_count);
    for (int k = 0; k < made.choice_count; k++) sequence_add_long(w, b, (uint64_t)choices[k]);
    for (int k = 0; k < made.access_count; k++) {
        const cell_access *a = &accesses[k];
        sequence_add(w, b, a->object);
        sequence_add(w, b, (uint32_t)(a->mode | a->atomic << 4 | a->tells << 5));
        sequence_add_long(w, b, (uint64_t)a->offset);
        sequence_add_long(w, b, (uint64_t)a->size);
    }
    int64_t count = e->numbers.count;
    int64_t number = table_number(&e->numbers, b, w->words, w->length);
    if (number < count) return (int32_t)number;
    if (number >= e->room) e->all = grow(b, e->all, &e->room, number + 1, sizeof *e->all);
    if (e->choice_count + made.choice_count > e->choice_room)
        e->choices = grow(b, e->choices, &e->choice_room, e->choice_count + made.choice_count,
                          sizeof *e->choices);
    if (e->access_count + made.access_count > e->access_room)
        e->accesses = grow(b, e->accesses, &e->access_room, e->access_count + made.access_count,
                           sizeof *e->accesses);
    made.choices = (int32_t)e->choice_count;
    made.accesses = (int32_t)e->access_count;
    for (int k = 0; k < made.choice_count; k++) e->choices[e->choice_count++] = choices[k];
    for (int k = 0; k < made.access_count; k++) e->accesses[e->access_count++] = accesses[k];
    e->all[number] = made;
    return (int32_t)number;
}

static cell_access seen(const access_t *a) {
    return (cell_access){a->object, a->mode, a->atomic != 0, a->tells != 0, a->offset, a->size};
}

int32_t event_of_step(events *e, machine *m, int starts) {
    cell_access accesses[256];
    if (m->access_count > 256) refuse(m, TOO_MUCH_AT_ONCE);
    for (int k = 0; k < m->access_count; k++) accesses[k] = seen(&m->accesses[k]);
    event made = {0};
    made.thread = m->mover;
    made.index = (int32_t)m->numbers[EVENTS][m->mover] - 1;
    made.pc = (int32_t)m->origin;
    made.exits = (int16_t)m->exits;
    made.starts = (int16_t)starts;
    made.wakes = (int16_t)m->wakes;
    made.was_paused = (int16_t)(!starts && m->was_paused);
    for (int k = 0; k < m->spawned_count; k++) made.spawned |= 1ull << m->spawned[k];
    for (int k = 0; k < m->joined_count; k++) made.joined |= 1ull << m->joined[k];
    made.choice_count = m->chosen;
    made.access_count = m->access_count;
    return intern(e, m->b, made, m->used, accesses);
}

int32_t event_of_choices(events *e, machine *m) {
    event made = {0};
    made.thread = m->mover;
    made.choice_count = m->chosen;
    return intern(e, m->b, made, m->used, NULL);
}

int32_t event_standing(events *e, machine *m, int thread, const cell_access *accesses, int count) {
    event made = {0};
    made.thread = thread;
    made.index = (int32_t)m->numbers[EVENTS][thread];
    made.pc = (int32_t)m->numbers[PCS][thread];
    made.access_count = count;
    return intern(e, m->b, made, NULL, accesses);
}

int conflict(const cell_access *a, const cell_access *b) {
    return a->object == b->object && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size &&
           (a->mode != b->mode || a->mode == WRITE ||
            (a->mode == ADDS && (a->offset != b->offset || a->size != b->size)));
}

static int depend(const events *e, const event *a, const event *b) {
    if (a->thread == b->thread) return 1;
    if (a->spawned >> b->thread & 1 || b->spawned >> a->thread & 1) return 1;
    if (a->joined >> b->thread & 1 || b->joined >> a->thread & 1) return 1;
    if (a->exits || b->exits) return 1;
    const cell_access *x = e->accesses + a->accesses, *y = e->accesses + b->accesses;
    for (int k = 0; k < a->access_count; k++)
        for (int j = 0; j < b->access_count; j++)
            if (conflict(&x[k], &y[j])) return 1;
    return 0;
}

static void widen(events *e, budget *b, int64_t wanted) {
    int64_t side = e->side ? e->side : 64, room = 0;
    while (side < wanted) side *= 2;
    int8_t *more = grow(b, NULL, &room, side * side, 1);
    for (int64_t k = 0; k < e->side; k++)
        memcpy(more + k * side, e->dependent + k * e->side, (size_t)e->side);
    if (e->dependent) b->used -= e->side * e->side;
    free(e->dependent);
    e->dependent = more;
    e->side = side;
}

int dependent(events *e, budget *b, int32_t one, int32_t other) {
    int32_t larger = one > other ? one : other;
    if (larger >= e->side) {
        if (larger >= LARGEST_SIDE) return depend(e, &e->all[one], &e->all[other]);
        widen(e, b, larger + 1);
    }
    int8_t *known = &e->dependent[one * e->side + other];
    if (!*known) *known = (int8_t)(1 + depend(e, &e->all[one], &e->all[other]));
    return *known == 2;
}

int both_arrive(const events *e, int32_t one, int32_t other) {
    const event *a = &e->all[one], *b = &e->all[other];
    for (int k = 0; k < a->access_count; k++) {
        const cell_access *x = &e->accesses[a->accesses + k];
        if (x->mode != ARRIVE) continue;
        for (int j = 0; j < b->access_count; j++) {
            const cell_access *y = &e->accesses[b->accesses + j];
            if (y->mode == ARRIVE && y->object == x->object) return 1;
        }
    }
    return 0;
}

int same_choices(const events *e, int32_t one, int32_t other) {
    const event *a = &e->all[one], *b = &e->all[other];
    return a->choice_count == b->choice_count &&
           (a->choice_count == 0 ||
            memcmp(e->choices + a->choices, e->choices + b->choices,
                   (size_t)a->choice_count * sizeof *e->choices) == 0);
}

void events_free(events *e) {
    table_free(&e->numbers);
    free(e->all);
    free(e->accesses);
    free(e->choices);
    free(e->dependent);
    free(e->words.words);
    memset(e, 0, sizeof *e);
}
