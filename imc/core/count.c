/* Every execution, counted: depth-first without a memory of states, with the figures of
 * imc/explorer/exhaustive.py. */
#include <stdlib.h>
#include <string.h>

#include "traces.h"

typedef struct {
    int64_t mark;  /* in the log, before the step that led here */
    int64_t first; /* of the ways still to be tried */
    int64_t state; /* the number of the state, if it may come again; else -1 */
} level;

typedef struct {
    search *s;
    traces t;
    ways starts;
    ways w; /* of all levels, one after the other; those of a level the last one first */
    level *levels;
    int64_t count, room;
    uint8_t *on_path; /* by number of the state */
    int64_t on_path_room;
} counting;

/* Whether a thread stands in a loop, and does not start or join another one next. */
static int may_come_again(const machine *m) {
    for (int t = 0; t < m->threads; t++) {
        if (m->numbers[STATUS][t] != RUNNING) continue;
        int64_t pc = m->numbers[PCS][t];
        if (!(m->f->notes.at[pc] & IN_LOOP)) continue;
        const int64_t *i = record_of(m->f, pc);
        if (i[0] == SPAWN) continue;
        if (i[0] == JOIN) { /* one that can only go on by joining, which is never undone */
            value handle = registers_of(m, t)[i[2]];
            uint64_t other = handle.v - 1;
            if (!handle.u && handle.v && other < (uint64_t)m->threads && other != (uint64_t)t &&
                m->numbers[STATUS][other] != ABSENT && !m->numbers[DETACHED][other] &&
                !m->numbers[JOINED][other])
                continue;
        }
        return 1;
    }
    return 0;
}

static int any_paused(const machine *m) {
    for (int t = 0; t < m->threads; t++)
        if (m->numbers[STATUS][t] == RUNNING && m->numbers[PAUSED][t]) return 1;
    return 0;
}

/* Whether the state is new on the path; its number is kept for the level. */
static int is_new(counting *c, level *l) {
    search *s = c->s;
    l->state = -1;
    if (!may_come_again(s->m)) return 1;
    int64_t number = state_number(&s->k, s->m);
    if (number >= c->on_path_room)
        c->on_path = grow(s->b, c->on_path, &c->on_path_room, number + 1, 1);
    if (c->on_path[number]) {
        if (any_paused(s->m)) {
            s->m->refused = ENDLESS_INPUTS;
            search_end(s, CORE_REFUSED);
        }
        return 0;
    }
    c->on_path[number] = 1;
    l->state = number;
    return 1;
}

static void end(counting *c) {
    search *s = c->s;
    if (is_complete(s->m)) {
        s->r.complete++;
        final_number(&s->k, s->m, 1);
    } else if (is_stopped(s) || !(s->m->f->checked & DEADLOCK)) {
        s->r.blocked++;
    } else {
        search_end(s, CORE_DEADLOCK);
    }
    trace_number(&c->t, s);
    s->r.traces = c->t.known.count;
}

static void reverse(way *first, way *last) {
    for (; first < last; first++, last--) {
        way other = *first;
        *first = *last;
        *last = other;
    }
}

/* A step has just been taken: finds those that can follow it. */
static void enter(counting *c, int64_t mark, int32_t event, int faulty) {
    search *s = c->s;
    s->r.events++;
    search_push(s, event);
    if (c->count == c->room)
        c->levels = grow(s->b, c->levels, &c->room, c->count + 1, sizeof *c->levels);
    level *l = &c->levels[c->count++];
    *l = (level){mark, c->w.count, -1};
    if (faulty) search_end(s, CORE_FAULT);
    if (!is_new(c, l)) {
        s->r.endless++;
        return;
    }
    int64_t first = c->w.count;
    search_moves(s, &c->w);
    if (s->blocked && s->m->f->checked & DEADLOCK && waits_in_circle(s))
        search_end(s, CORE_DEADLOCK);
    if (c->w.count == first)
        end(c);
    else
        reverse(&c->w.all[first], &c->w.all[c->w.count - 1]);
}

static void walk(counting *c, const way *start) {
    search *s = c->s;
    int faulty;
    search_tick(s);
    int64_t mark = s->m->log_length;
    int32_t event = search_take(s, start, &faulty);
    enter(c, mark, event, faulty);
    while (c->count) {
        level *l = &c->levels[c->count - 1];
        if (c->w.count > l->first) {
            way step = c->w.all[--c->w.count];
            search_tick(s);
            mark = s->m->log_length;
            event = search_take(s, &step, &faulty);
            enter(c, mark, event, faulty);
        } else {
            if (l->state >= 0) c->on_path[l->state] = 0;
            machine_undo(s->m, l->mark);
            c->count--;
            traces_shorten(&c->t, --s->length);
        }
    }
}

static void count_free(void *it) {
    counting *c = it;
    traces_free(&c->t);
    free(c->w.all);
    free(c->levels);
    free(c->on_path);
    free(c->starts.all);
    free(c);
}

void count_executions(search *s) {
    counting *c = take(s->b, 1, sizeof *c);
    s->own = c;
    s->free_own = count_free;
    c->s = s;
    search_ways(s, -1, &c->starts);
    for (int64_t k = 0; k < c->starts.count; k++) walk(c, &c->starts.all[k]);
}
