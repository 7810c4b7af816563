/* What executions come to: complete, blocked, a deadlock, a fault; and what only happens to be in
 * order. */
#include "graph.h"

void tell_fault(explored *x) {
    show_path(x);
    search_end(x->s, CORE_FAULT);
}

static _Noreturn void cannot_be(explored *x) {
    x->m->refused = NOT_IN_GRAPHS;
    x->m->refused_at = x->m->origin;
    search_end(x->s, CORE_REFUSED);
}

/* An object ends, and is used afterwards: the execution in which that comes about. */
static void end_first(explored *x, const graph *g, int32_t end, int32_t use) {
    int64_t count = 0;
    if (g->count > x->order_room)
        x->order = grow(x->b, x->order, &x->order_room, g->count, sizeof *x->order);
    for (int32_t p = 0; p < g->count; p++)
        if (within(g, p, before_of(g, end))) x->order[count++] = p;
    for (int32_t p = 0; p < g->count; p++)
        if (within(g, p, before_of(g, use)) && !within(g, p, before_of(g, end)))
            x->order[count++] = p;
    if (replay_in_order(x, g, x->order, count) != CORE_FAULTY) cannot_be(x);
    show_path(x);
    search_end(x->s, CORE_FAULT);
}

/* Whether a thread waits for what it would not have to wait for, if it looked again. */
static int waits_for_nothing(const graph *g) {
    for (int32_t p = 0; p < g->count; p++) {
        if (!(g->at[p].flags & HANGS)) continue;
        for (int32_t q = p + 1; q < g->count; q++)
            if (g->at[q].kind == WRITES_PLACE && g->at[q].place == g->at[p].place) return 1;
    }
    return 0;
}

static void count_trace(explored *x) {
    search *s = x->s;
    if (!(s->q.flags & CORE_TRACES)) return;
    int64_t known = x->t.known.count;
    show_path(x);
    traces_shorten(&x->t, 0);
    if (trace_number(&x->t, s) < known) s->r.duplicates++;
    s->r.traces = x->t.known.count;
}

/* Threads that wait in a circle do so for ever, whatever the others do. */
static void look_for_circle(explored *x, int is_end) {
    search *s = x->s;
    x->found.count = 0;
    search_moves(s, &x->found);
    if (is_end && x->found.count) cannot_be(x);
    if (s->blocked && s->m->f->checked & DEADLOCK && waits_in_circle(s)) {
        show_path(x);
        search_end(s, CORE_DEADLOCK);
    }
}

/* No thread can go on. The program's end, which stands last in the graph, ends nobody's run here: what
 * threads do that are still running could have come before it. */
void look_at_end(explored *x, graph *g) {
    search *s = x->s;
    int64_t exits = 0;
    if (waits_for_nothing(g)) {
        s->r.redundant++;
        return;
    }
    for (int32_t p = 0; p < g->count; p++) exits += (g->at[p].flags & EXITS_ALL) != 0;
    replay_back(x, x->run_count - exits);
    look_for_circle(x, !exits);
    if (exits) replay(x, g);
    if (is_complete(s->m)) {
        s->r.complete++;
        final_number(&s->k, s->m, 1);
    } else if (is_stopped(s) || !(s->m->f->checked & DEADLOCK)) {
        s->r.blocked++;
    } else {
        show_path(x);
        search_end(s, CORE_DEADLOCK);
    }
    count_trace(x);
}

/* A read whose step has not come yet may have to wait for what it has seen. */
static int depends(explored *x, const node *loose, const node *other) {
    const events *e = &x->s->e;
    if (other->step >= 0) return dependent(&x->s->e, x->b, loose->step, other->step);
    const location *l = &x->locations[other->place];
    const event *made = &e->all[loose->step];
    for (int k = 0; k < made->access_count; k++) {
        const cell_access *a = &e->accesses[made->accesses + k];
        if (a->mode != READ && a->object == l->object && a->offset < l->offset + l->size &&
            l->offset < a->offset + a->size)
            return 1;
    }
    return 0;
}

/* Events that touch more than one place, in an order that nothing has decided: what ends an object
 * may come first then, which is an error; anything else is not understood. */
void look_at_loose(explored *x, const graph *g) {
    for (int32_t p = 0; p < g->count; p++) {
        const node *n = &g->at[p];
        if (!(n->flags & LOOSE)) continue;
        for (int32_t q = 0; q < g->count; q++) {
            const node *o = &g->at[q];
            if (o->thread == n->thread || o->flags & EXITS_ALL ||
                (o->flags & LOOSE && q < p) || !depends(x, n, o) ||
                within(g, p, before_of(g, q)) || within(g, q, before_of(g, p)))
                continue;
            if (n->flags & ENDS_OBJECTS)
                end_first(x, g, p, q);
            else if (o->flags & ENDS_OBJECTS)
                end_first(x, g, q, p);
            else
                cannot_be(x);
        }
    }
}
