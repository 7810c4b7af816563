/* What executions come to: complete, blocked, a deadlock, a fault; and what only happens to be in
 * order. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void cannot_be(explored *x) {
    if (x->relaxes) longjmp(x->restart, RESTART_STRICT); /* locks may put it in order */
    not_in_graphs(x);
}

/* ----------------------------------------------------------------------------------------- faults */

/* Where an event stands if only those are left that are kept. */
static int32_t among(const uint8_t *keep, int32_t position) {
    int32_t found = 0;
    for (int32_t p = 0; p < position; p++) found += keep[p];
    return found;
}

/* Ends the search if what is kept of the graph can be run by the program, in which the last event goes
 * wrong; with another event (-1: none) before it. */
static void run_to_fault(explored *x, const graph *g, const uint8_t *keep, int32_t last,
                         int32_t end) {
    graph *less = x->made = graph_kept(x, g, keep);
    int32_t at = among(keep, last);
    if (less->at[at].flags & FAILED) less->at[at].step = less->at[at].failed;
    begin_edges(x, less);
    for (int64_t k = x->edge_count - 1; k >= 0; k--)
        if (x->edges[2 * k] == at) {
            x->edge_count--;
            x->edges[2 * k] = x->edges[2 * x->edge_count];
            x->edges[2 * k + 1] = x->edges[2 * x->edge_count + 1];
        }
    if (end >= 0) add_edge(x, among(keep, end), at);
    if (order_exactly(x, less)) {
        int64_t count = 0;
        for (int32_t k = 0; k < less->count; k++)
            if (x->topological[k] != at) x->topological[count++] = x->topological[k];
        x->topological[count++] = at;
        if (replay_in_order(x, less, x->topological, count) == CORE_FAULTY) {
            show_path(x);
            search_end(x->s, CORE_FAULT);
        }
    }
    graph_free(x, less);
    x->made = NULL;
}

/* What the event needs is tried first: what else the graph has may be in the way of its locks. If none
 * of this leads to the fault, more of the graph may have to be left out: that is for ordered locks to
 * find out. */
void tell_fault(explored *x, const graph *g, int32_t position) {
    if (!x->relaxes) {
        show_path(x);
        search_end(x->s, CORE_FAULT);
    }
    uint16_t clock[MOST_THREADS], most[MOST_THREADS];
    memset(clock, 0, sizeof clock);
    memset(most, 0xff, sizeof most);
    memcpy(clock, porf_of(g, position), (size_t)g->width * sizeof *clock);
    most[g->at[position].thread] = clock[g->at[position].thread];
    close_sections(x, g, clock, most);
    uint8_t *keep = x->kept_events = take(x->b, g->count, 1);
    for (int32_t p = 0; p < g->count; p++) keep[p] = within(g, p, clock);
    run_to_fault(x, g, keep, position, -1);
    for (int32_t p = 0; p < g->count; p++) keep[p] = 1;
    run_to_fault(x, g, keep, position, -1);
    cannot_be(x);
}

void look_at_failures(explored *x, const graph *g) {
    for (int32_t p = 0; p < g->count; p++)
        if (g->at[p].flags & FAILED) tell_fault(x, g, p);
}

/* An object ends, and is used afterwards: that is an error, if locks allow it. */
static void end_first(explored *x, const graph *g, int32_t end, int32_t use) {
    uint8_t *keep = x->kept_events = take(x->b, g->count, 1);
    for (int32_t p = 0; p < g->count; p++)
        keep[p] = within(g, p, before_of(g, end)) || within(g, p, before_of(g, use));
    run_to_fault(x, g, keep, use, end);
    free(keep);
    x->kept_events = NULL;
    if (!x->relaxes) cannot_be(x);
}

static int touch_the_same(const events *e, const event *one, const cell_access *accesses,
                          int count) {
    for (int k = 0; k < one->access_count; k++)
        for (int j = 0; j < count; j++)
            if (conflict(&e->accesses[one->accesses + k], &accesses[j])) return 1;
    return 0;
}

/* A read whose step has not come yet may have to wait for what it has seen. That the program's end
 * comes after all others is known, but not what it touches. */
static int depends(explored *x, const node *loose, const node *other) {
    events *e = &x->s->e;
    const event *one = &e->all[loose->step];
    if (other->step >= 0 && !((loose->flags | other->flags) & EXITS_ALL))
        return dependent(e, x->b, loose->step, other->step);
    if (other->step >= 0) {
        const event *two = &e->all[other->step];
        return touch_the_same(e, one, e->accesses + two->accesses, two->access_count);
    }
    if (other->place < 0) return 0;
    const location *l = &x->locations[other->place];
    cell_access looks = {l->object, READ, 1, 0, l->offset, l->size};
    return touch_the_same(e, one, &looks, 1);
}

/* Events that touch more than one place, in an order that nothing has decided: what ends an object
 * may come first then, which is an error; anything else is not understood. */
void look_at_loose(explored *x, const graph *g) {
    for (int32_t p = 0; p < g->count; p++) {
        const node *n = &g->at[p];
        if (!(n->flags & LOOSE) || n->step < 0) continue;
        for (int32_t q = 0; q < g->count; q++) {
            const node *o = &g->at[q];
            if (o->thread == n->thread || (o->flags & LOOSE && q < p) || !depends(x, n, o) ||
                within(g, p, before_of(g, q)) || within(g, q, before_of(g, p)))
                continue;
            if (!((n->flags | o->flags) & ENDS_OBJECTS)) cannot_be(x);
            if (n->flags & ENDS_OBJECTS) end_first(x, g, p, q);
            if (o->flags & ENDS_OBJECTS) end_first(x, g, q, p);
        }
    }
}

/* ------------------------------------------------------------------------------------------- ends */

/* Whether a thread waits for what it would not have to wait for, if it looked again; or has failed in
 * a way that no execution has. */
static int is_no_end(const graph *g) {
    for (int32_t p = 0; p < g->count; p++) {
        if (g->at[p].flags & FAILED) return 1;
        if (!(g->at[p].flags & HANGS)) continue;
        for (int32_t q = p + 1; q < g->count; q++)
            if (g->at[q].kind == WRITES_PLACE && g->at[q].place == g->at[p].place) return 1;
    }
    return 0;
}

static void name(explored *x, const node *n) {
    sequence_add(&x->t.words, x->b, n == NULL ? ~0u : (uint32_t)n->thread << 16 | (uint16_t)n->index);
}

/* A graph by its events, what each has read or written over: locks have no order. */
static int64_t graph_number(explored *x, const graph *g) {
    x->t.words.length = 0;
    for (int t = 0; t < g->width; t++)
        for (int32_t p = 0; p < g->count; p++) {
            if (g->at[p].thread != t) continue;
            const node *n = &g->at[p], *last = NULL;
            for (int32_t q = 0; q < p && n->place >= 0; q++)
                if (g->at[q].kind == WRITES_PLACE && g->at[q].place == n->place) last = &g->at[q];
            name(x, n);
            name(x, last);
            sequence_add(&x->t.words, x->b, (uint32_t)n->step);
        }
    return table_number(&x->t.known, x->b, x->t.words.words, x->t.words.length);
}

static void count_trace(explored *x, const graph *g) {
    search *s = x->s;
    if (!(s->q.flags & CORE_TRACES)) return;
    int64_t known = x->t.known.count;
    show_path(x);
    traces_shorten(&x->t, 0);
    if ((x->relaxes ? graph_number(x, g) : trace_number(&x->t, s)) < known) s->r.duplicates++;
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

/* The order of the graph, or one that mutual exclusion allows; 0: there is none. What ends the program
 * is left out, and comes behind the others in `order`. */
static int order_of_end(explored *x, const graph *g, int32_t *order, int64_t *exits) {
    begin_edges(x, g);
    if (x->relaxes && !order_exactly(x, g)) return 0;
    int64_t count = 0;
    *exits = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < g->count; k++) {
            int32_t p = x->relaxes ? x->topological[k] : k;
            int is_exit = (g->at[p].flags & EXITS_ALL) != 0;
            if (is_exit == pass) order[count++] = p;
            if (pass) *exits += is_exit;
        }
    return 1;
}

/* No thread can go on. The program's end, which stands last in the graph, ends nobody's run here: what
 * threads do that are still running could have come before it. */
void look_at_end(explored *x, const graph *g) {
    search *s = x->s;
    int64_t exits;
    if (x->relaxes) look_for_deadlocks(x, g);
    look_at_failures(x, g);
    if (is_no_end(g)) {
        s->r.redundant++;
        return;
    }
    if (g->count > x->order_room)
        x->order = grow(x->b, x->order, &x->order_room, g->count, sizeof *x->order);
    if (!order_of_end(x, g, x->order, &exits)) {
        for (int32_t p = 0; p < g->count; p++)
            if (g->at[p].flags & EXITS_ALL) cannot_be(x); /* the end may come before other sections */
        s->r.redundant++;
        return;
    }
    if (replay_in_order(x, g, x->order, g->count - exits) != CORE_MOVED) cannot_be(x);
    look_for_circle(x, !exits);
    if (exits && replay_in_order(x, g, x->order, g->count) != CORE_MOVED) cannot_be(x);
    if (is_complete(s->m)) {
        s->r.complete++;
        final_number(&s->k, s->m, 1);
    } else if (is_stopped(s) || !(s->m->f->checked & DEADLOCK)) {
        s->r.blocked++;
    } else {
        show_path(x);
        search_end(s, CORE_DEADLOCK);
    }
    count_trace(x, g);
}
