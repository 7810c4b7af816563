/* Races of a complete execution, and how executions begin in which they go the other way. As
 * imc/explorer/reversals.py. */
#include <string.h>

#include "explorer.h"

static int conflicts(const cell_access *some, int64_t count, const cell_access *others,
                     int64_t other_count) {
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < other_count; j++)
            if (conflict(&some[k], &others[j])) return 1;
    return 0;
}

static planned *next_planned(explorer *x) {
    plan *p = &x->sequence;
    if (p->count == p->room) p->all = grow(x->b, p->all, &p->room, p->count + 1, sizeof *p->all);
    return &p->all[p->count++];
}

/* The chosen events and the last one, which happens after those it depends on. */
static void tell(explorer *x, int64_t base, const uint64_t *chosen, int32_t last) {
    uint64_t *before = x->scratch[1];
    memset(before, 0, (size_t)x->width * sizeof *before);
    x->sequence.count = 0;
    for (int64_t k = base; k < x->count; k++) {
        if (!has(chosen, k)) continue;
        const uint64_t *past = row(x->past, x->width, k);
        *next_planned(x) = (planned){x->events[k], k, past};
        if (dependent(x->e, x->b, x->events[k], last))
            for (int64_t w = 0; w < x->width; w++) before[w] |= past[w];
    }
    *next_planned(x) = (planned){last, x->count, before};
    reversal_found(x, base);
}

/* What was tried is used by others in between: it is copied. */
static int64_t copied(explorer *x, const outcomes *o, int32_t *to) {
    if (o->count > MOST_LOOKED) search_end(x->s, CORE_REFUSED);
    memcpy(to, o->all, (size_t)o->count * sizeof *to);
    return o->count;
}

static void look(explorer *x, looked *l, const cell_access *a) {
    if (l->count == MOST_LOOKED) search_end(x->s, CORE_REFUSED);
    l->all[l->count++] = *a;
}

/* The second event instead of the first; it never waits. */
static void plain(explorer *x, int64_t first, int64_t second) {
    uint64_t *chosen = x->scratch[2];
    not_after(x, first, chosen);
    const event *e = event_at(x, second);
    if (x->m->f->notes.at[e->pc] & FIXED) {
        tell(x, first, chosen, x->events[second]);
        return;
    }
    int32_t found[MOST_LOOKED];
    looked l;
    l.count = 0;
    for (int k = 0; k < e->access_count; k++) look(x, &l, &x->e->accesses[e->accesses + k]);
    probe(x, first, chosen, e->thread, second, &l);
    int64_t count = copied(x, &x->tried, found);
    if (count == 0) search_end(x->s, CORE_REFUSED);
    for (int64_t k = 0; k < count; k++) tell(x, first, chosen, found[k]);
}

/* ------------------------------------------------------------------------------- those that wait */

/* Where it has to wait, what it waits for is added to what it has looked at. In Python all of that
 * is compared with what was known before, and then added. */
static void look_at(explorer *x, looked *l, const outcomes *o) {
    looked known = *l;
    for (int k = 0; k < o->access_count; k++)
        if (!is_covered(&o->accesses[k], &known)) look(x, l, &o->accesses[k]);
    if (o->why.has_pointer) {
        cell_access a = {(uint32_t)object_of(o->why.pointer), WRITE, 1, 0,
                         offset_of(o->why.pointer), 1};
        if (!is_covered(&a, &known)) look(x, l, &a);
    }
}

static int orders_all(const cell_access *some, int count, const looked *l) {
    for (int64_t k = 0; k < l->count; k++) {
        int found = 0;
        for (int j = 0; j < count && !found; j++)
            found = some[j].mode == WRITE && some[j].object == l->all[k].object &&
                    some[j].offset <= l->all[k].offset &&
                    l->all[k].offset + l->all[k].size <= some[j].offset + some[j].size;
        if (!found) return 0;
    }
    return 1;
}

static uint64_t *choice_at(explorer *x, int64_t number) { return x->choices + x->width * number; }

static uint64_t *next_choice(explorer *x, int64_t *count) {
    if ((*count + 1) * x->width > x->choice_room)
        x->choices = grow(x->b, x->choices, &x->choice_room, (*count + 1) * x->width,
                          sizeof *x->choices);
    return choice_at(x, (*count)++);
}

static int is_subset(const explorer *x, const uint64_t *a, const uint64_t *b) {
    for (int64_t w = 0; w < x->width; w++)
        if (a[w] & ~b[w]) return 0;
    return 1;
}

/* The choices without one of the last events that conflict, and without what follows it. What the
 * thread itself needs to come so far stays. */
static void without_one(explorer *x, const looked *l, int64_t number, const uint64_t *own,
                        int64_t *count) {
    int64_t found = 0;
    uint64_t *some = x->scratch[3];
    memset(some, 0, (size_t)x->width * sizeof *some);
    for (int64_t k = 0; k < x->count; k++) {
        if (!has(choice_at(x, number), k)) continue;
        const event *e = event_at(x, k);
        if (conflicts(x->e->accesses + e->accesses, e->access_count, l->all, l->count)) {
            include(some, k);
            found++;
        }
    }
    for (int64_t k = 0; k < x->count && found; k++) {
        if (!has(some, k) || has(own, k)) continue;
        int last = 1;
        for (int64_t later = k + 1; later < x->count && last; later++)
            last = !(has(some, later) && has(row(x->past, x->width, later), k));
        if (!last) continue;
        uint64_t *further = next_choice(x, count);
        memset(further, 0, (size_t)x->width * sizeof *further);
        for (int64_t j = 0; j < x->count; j++)
            if (has(choice_at(x, number), j) && !has(row(x->past, x->width, j), k))
                include(further, j);
    }
}

/* Largest choices of events that do not happen after the first, and let the event happen. */
static int enabling(explorer *x, int thread, looked *l, int64_t position, int64_t first,
                    const uint64_t *own) {
    int64_t count = 0, inserted = 0;
    uint8_t possible[4096];
    not_after(x, first, next_choice(x, &count));
    for (int64_t number = 0; number < count; number++) { /* grows while we walk it */
        if (number >= (int64_t)sizeof possible) search_end(x->s, CORE_REFUSED);
        possible[number] = 0;
        int known = 0;
        for (int64_t k = 0; k < number && !known; k++) {
            const uint64_t *a = choice_at(x, number), *b = choice_at(x, k);
            known = possible[k] ? is_subset(x, a, b)
                                : memcmp(a, b, (size_t)x->width * sizeof *a) == 0;
        }
        if (known) continue;
        uint64_t *chosen = x->scratch[2];
        memcpy(chosen, choice_at(x, number), (size_t)x->width * sizeof *chosen);
        probe(x, first, chosen, thread, position, l);
        if (x->tried.count) {
            int32_t found[MOST_LOOKED];
            int64_t ways = copied(x, &x->tried, found);
            possible[number] = 1;
            inserted = 1;
            for (int64_t k = 0; k < ways; k++) tell(x, first, chosen, found[k]);
            continue;
        }
        look_at(x, l, &x->tried);
        without_one(x, l, number, own, &count);
    }
    return inserted != 0;
}

/* An event that may have to wait, before events that conflict with it, the latest first. It
 * conflicts with those, too, that decide about its waiting where it would look elsewhere. */
static void waiting(explorer *x, int thread, looked *l, int64_t position, const uint64_t *own) {
    uint64_t *ahead = x->scratch[4];
    int64_t known = l->count;
    touching(x, l->all, l->count, ahead);
    for (int64_t first = highest(x, ahead, position); first >= 0;
         first = highest(x, ahead, first)) {
        if (has(own, first)) continue;
        const event *e = event_at(x, first);
        if (!conflicts(x->e->accesses + e->accesses, e->access_count, l->all, l->count)) continue;
        int inserted = enabling(x, thread, l, position, first, own);
        e = event_at(x, first);
        if (inserted && orders_all(x->e->accesses + e->accesses, e->access_count, l)) return;
        if (l->count > known) {
            known = l->count;
            touching(x, l->all, l->count, ahead);
        }
    }
}

static void waiting_event(explorer *x, int64_t position) {
    const event *e = event_at(x, position);
    looked l;
    l.count = 0;
    for (int k = 0; k < e->access_count; k++) look(x, &l, &x->e->accesses[e->accesses + k]);
    waiting(x, e->thread, &l, position, row(x->own, x->width, position));
}

/* A thread that cannot move at the end; what it waits for is touched as a whole. */
static void waiting_thread(explorer *x, int thread, int64_t end) {
    looked l;
    l.count = 0;
    const outcomes *o = &x->at_end[thread];
    for (int k = 0; k < o->access_count; k++) look(x, &l, &o->accesses[k]);
    if (o->why.what != FOR_VALUE && o->why.has_pointer) {
        cell_access whole = {(uint32_t)object_of(o->why.pointer), WRITE, 1, 0, 0, 1ll << 40};
        look(x, &l, &whole);
    }
    waiting(x, thread, &l, end, own_past(x, thread));
}

/* Where the program has ended as a whole, others could have gone on before that. */
static void cut_off(explorer *x) {
    int64_t last = x->count - 1;
    if (last < 0 || !event_at(x, last)->exits) return;
    int running[MOST_THREADS], exiting = event_at(x, last)->thread;
    go_back(x, last);
    int count = machine_running(x->m, running);
    go_on_again(x, last);
    for (int n = 0; n < count; n++) {
        if (running[n] == exiting) continue;
        go_back(x, last);
        try_thread(x, running[n], &x->tried);
        go_on_again(x, last);
        int32_t found[MOST_LOOKED];
        int64_t ways = copied(x, &x->tried, found);
        for (int64_t k = 0; k < ways; k++) {
            x->sequence.count = 0;
            *next_planned(x) = (planned){found[k], 0, x->none};
            reversal_found(x, last);
        }
    }
}

void reversals(explorer *x) {
    for (int64_t position = 0; position < x->count; position++) {
        if (may_wait(x, x->events[position])) {
            waiting_event(x, position);
            continue;
        }
        for (int64_t k = x->race_starts[position]; k < x->race_starts[position + 1]; k++) {
            int64_t first = x->races[k];
            if (!event_at(x, first)->was_paused) plain(x, first, position);
        }
    }
    int64_t end = x->count;
    if (end && event_at(x, end - 1)->exits) end--;
    for (int k = 0; k < x->blocked_count; k++) {
        int thread = x->blocked_order[k];
        if (x->at_end[thread].why.what != FOR_END) waiting_thread(x, thread, end);
    }
    cut_off(x);
}
