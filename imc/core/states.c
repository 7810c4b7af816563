/* Every state, visited once: depth-first, as imc/explorer/exhaustive.py does it.
 * Performance-critical: see scripts/bench_explore.py. */
#include <stdlib.h>
#include <string.h>

#include "stategraph.h"
#include "search.h"

typedef struct {
    int64_t mark;  /* in the log, before the step that led here */
    int64_t first; /* of the ways still to be tried */
    int64_t state;
} level;

typedef struct {
    search *s;
    stategraph g;
    ways starts, w;
    int64_t next_start;
    level *levels;
    int64_t count, room;
    uint8_t *is_void; /* states that no execution is meant to come to */
    int64_t void_room;
} visiting;

static void end(search *s) {
    if (is_complete(s->m))
        final_number(&s->k, s->m, 0);
    else if (!is_stopped(s) && s->m->f->checked & DEADLOCK)
        search_end(s, CORE_DEADLOCK);
}

static uint8_t flags_of(const search *s) {
    const machine *m = s->m;
    int effect = m->spawned_count || m->exits || m->has_effect ||
                 record_of(m->f, m->origin)[0] == INPUT;
    int writes = 0;
    for (int k = 0; k < m->access_count; k++) writes |= m->accesses[k].mode != READ;
    return (uint8_t)(effect * HAS_EFFECT | m->serves * SERVES | writes * WRITES);
}

static void note_void(visiting *v, int64_t state) {
    search *s = v->s;
    if (state >= v->void_room) v->is_void = grow(s->b, v->is_void, &v->void_room, state + 1, 1);
    for (int t = 0; t < s->m->threads; t++) v->is_void[state] |= s->m->numbers[STATUS][t] == STUCK;
}

static void reverse(way *first, way *last) {
    for (; first < last; first++, last--) {
        way other = *first;
        *first = *last;
        *last = other;
    }
}

/* A paused thread in a state that has come before: a loop over inputs may let nobody else move. */
static void refuse_paused(search *s) {
    for (int t = 0; t < s->m->threads; t++)
        if (s->m->numbers[STATUS][t] == RUNNING && s->m->numbers[PAUSED][t]) {
            s->m->refused = ENDLESS_INPUTS;
            search_end(s, CORE_REFUSED);
        }
}

/* Takes a step; where it leads to a new state, that is the next level. */
static void visit(visiting *v, const way *step, int64_t from) {
    search *s = v->s;
    int faulty;
    search_tick(s);
    int64_t mark = s->m->log_length, before = s->k.states.count;
    int graphs = (s->q.flags & CORE_GRAPH) != 0;
    graph_step edge = {0};
    if (graphs && from >= 0) edge.before = shape_of_thread(&s->k, s->m, step->thread);
    int32_t event = search_pass(s, step, &faulty);
    s->r.events++;
    search_push(s, event);
    if (faulty) search_end(s, CORE_FAULT);
    int64_t state = state_number(&s->k, s->m);
    if (graphs) {
        if (state == before) note_void(v, state);
        edge.source = (uint32_t)from;
        edge.target = (uint32_t)state;
        edge.after = shape_of_thread(&s->k, s->m, s->m->mover);
        edge.thread = (uint8_t)s->m->mover;
        edge.flags = flags_of(s);
        if (from >= 0) stategraph_add(&v->g, s->b, edge);
    }
    if (state < before) {
        refuse_paused(s);
        machine_undo(s->m, mark);
        s->length--;
        return;
    }
    s->r.states = s->k.states.count;
    if (v->count == v->room)
        v->levels = grow(s->b, v->levels, &v->room, v->count + 1, sizeof *v->levels);
    v->levels[v->count++] = (level){mark, v->w.count, state};
    int64_t first = v->w.count;
    search_moves(s, &v->w);
    if (s->blocked && s->m->f->checked & DEADLOCK && waits_in_circle(s))
        search_end(s, CORE_DEADLOCK);
    if (v->w.count == first)
        end(s);
    else
        reverse(&v->w.all[first], &v->w.all[v->w.count - 1]);
}

static void states_free(void *it) {
    visiting *v = it;
    stategraph_free(&v->g);
    free(v->starts.all);
    free(v->w.all);
    free(v->levels);
    free(v->is_void);
    free(v);
}

static void visit_further(visiting *v) {
    search *s = v->s;
    while (v->count) {
        level *l = &v->levels[v->count - 1];
        search_rest(s);
        if (v->w.count > l->first) {
            way step = v->w.all[--v->w.count];
            visit(v, &step, l->state);
        } else {
            machine_undo(s->m, l->mark);
            v->count--;
            s->length--;
        }
    }
}

static void begin(search *s) {
    visiting *v = take(s->b, 1, sizeof *v);
    s->own = v;
    s->free_own = states_free;
    v->s = s;
    search_ways(s, -1, &v->starts);
}

void visit_states(search *s) {
    if (s->own == NULL) begin(s);
    visiting *v = s->own;
    for (;;) {
        visit_further(v);
        if (v->next_start == v->starts.count) break;
        visit(v, &v->starts.all[v->next_start++], -1);
    }
    if (s->q.flags & CORE_GRAPH && s->r.states)
        s->r.may_hang = stategraph_fair_part(&v->g, s->b, s->r.states, v->is_void);
}
