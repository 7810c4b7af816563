/* The algorithm: what comes next in a graph, and which graphs come of it. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1000, WIDTH_AT_FIRST = 8 };

void push_graph(explored *x, graph *g) {
    if (x->depth == x->stack_room)
        x->stack = grow(x->b, x->stack, &x->stack_room, x->depth + 1, sizeof *x->stack);
    x->stack[x->depth++] = g;
    x->made = NULL;
}

/* ------------------------------------------------------------------------------------- one event */

static node new_event(const graph *g, int thread, const next_step *step) {
    int32_t last = graph_last(g, thread);
    node n = {.step = -1, .asked = -1, .place = step->place, .source = -1, .stamp = g->count,
              .thread = (int16_t)thread, .index = (int16_t)(last < 0 ? 0 : g->at[last].index + 1),
              .spawned = -1, .joined = (int16_t)step->joins, .kind = (uint8_t)step->kind,
              .flags = FRESH | MAXIMAL};
    return n;
}

/* Whether the write at a position belongs to a step that has read the one before it. */
static int is_bound(const graph *g, int32_t p) {
    return p >= 0 && g->at[p].kind == WRITES_PLACE && g->at[p].flags & HALF;
}

/* The position of the next write of a place behind another event; -1: there is none. */
static int32_t write_behind(const graph *g, int32_t place, int32_t p) {
    for (p++; p < g->count; p++)
        if (g->at[p].place == place && g->at[p].kind == WRITES_PLACE) return p;
    return -1;
}

/* A read: one graph for each write that it can see; the last write's is visited first. */
static void add_read(explored *x, const graph *g, node n) {
    const uint16_t *past = past_of(g, n.thread, 0);
    int32_t source = -1;
    for (;;) {
        int32_t next = write_behind(g, n.place, source);
        if (next < 0 || !within(g, next, past)) {
            node made = n;
            made.source = source < 0 ? -1 : g->at[source].stamp;
            if (next >= 0) made.flags &= (uint8_t)~MAXIMAL;
            push_graph(x, graph_with(x, g, made, next));
        }
        if (next < 0) return;
        source = next;
    }
}

/* Places for a write among the others: `found` gets the next one of each, -1 for none. */
static int64_t places_for(explored *x, const graph *g, const node *n, int32_t reads_from) {
    const uint16_t *past = past_of(g, n->thread, 0);
    int64_t count = 0;
    int32_t source = -1;
    for (;;) {
        int32_t next = write_behind(g, n->place, source);
        int fits = (next < 0 || !within(g, next, past)) && !is_bound(g, next);
        if (n->flags & HALF) fits = fits && (source < 0 ? -1 : g->at[source].stamp) == reads_from;
        if (fits) {
            if (count == x->order_room)
                x->order = grow(x->b, x->order, &x->order_room, count + 1, sizeof *x->order);
            x->order[count++] = next;
        }
        if (next < 0) return count;
        source = next;
    }
}

/* ---------------------------------------------------------------------------------- its revisits */

/* What decides whether events would be added again as they are: see maximal. */
typedef struct {
    const uint16_t *past; /* of the write, what it needs */
    int32_t *last_inside; /* by place: the last write in that past, as a position */
    int32_t *first_seen;  /* by position of a write: the lowest stamp of its readers */
} judgement;

static void judge(explored *x, const graph *g, judgement *j) {
    int64_t room = x->rank_room;
    if (g->count + x->places.count > room)
        x->rank = grow(x->b, x->rank, &x->rank_room, g->count + x->places.count, sizeof *x->rank);
    j->first_seen = x->rank;
    j->last_inside = x->rank + g->count;
    for (int64_t k = 0; k < x->places.count; k++) j->last_inside[k] = -1;
    for (int32_t p = 0; p < g->count; p++) {
        const node *n = &g->at[p];
        j->first_seen[p] = g->count;
        if (n->kind == WRITES_PLACE && within(g, p, j->past)) j->last_inside[n->place] = p;
    }
    for (int32_t p = 0; p < g->count; p++) {
        const node *n = &g->at[p];
        if (n->place < 0 || n->kind == WRITES_PLACE || n->source < 0) continue;
        int32_t *seen = &j->first_seen[x->by_stamp[n->source]];
        if (n->stamp < *seen) *seen = n->stamp;
    }
}

/* Whether an event is what would be added first, if all that is to be deleted were added again. */
static int is_maximal(explored *x, const graph *g, const judgement *j, int32_t p) {
    const node *n = &g->at[p];
    if (!(n->flags & MAXIMAL)) return 0;
    if (n->place < 0) return 1;
    if (n->kind == WRITES_PLACE)
        return j->first_seen[p] > n->stamp && j->last_inside[n->place] <= p;
    if (n->source < 0) return j->last_inside[n->place] < 0;
    int32_t source = x->by_stamp[n->source];
    if (n->source > n->stamp && !within(g, source, j->past)) return 0;
    return j->last_inside[n->place] <= source;
}

/* The graph in which a read sees the write, and what came after the read is gone unless the write
 * needs it. */
static graph *without_what_followed(explored *x, const graph *g, int32_t read,
                                    const uint16_t *past) {
    int32_t stamp = g->at[read].stamp, *as = x->order;
    if (g->count + 1 > x->keep_room)
        x->keep = grow(x->b, x->keep, &x->keep_room, g->count + 1, 1);
    if (g->count + 1 > x->order_room)
        as = x->order = grow(x->b, x->order, &x->order_room, g->count + 1, sizeof *x->order);
    int32_t next = 0;
    for (int32_t k = 0; k < g->count; k++) {
        int32_t p = x->by_stamp[k];
        x->keep[p] = p != read && (k < stamp || within(g, p, past));
        if (k == stamp) next++; /* the read will have this one */
        if (x->keep[p]) as[k] = next++;
    }
    graph *kept = x->made = graph_new(x, g->count + 2);
    for (int32_t p = 0; p < g->count; p++) {
        if (!x->keep[p]) continue;
        node n = g->at[p];
        n.stamp = as[n.stamp];
        if (n.source >= 0) n.source = as[n.source];
        kept->at[kept->count++] = n;
    }
    graph_order(x, kept);
    return kept;
}

static void revisit(explored *x, const graph *g, node write, int32_t read, int32_t reads_from,
                    const uint16_t *past) {
    node again = g->at[read];
    graph *kept = without_what_followed(x, g, read, past);
    const int32_t *as = x->order;
    if (write.flags & HALF && reads_from >= 0) reads_from = as[reads_from];
    x->kept = kept;
    x->made = NULL;
    again.step = again.asked = -1;
    again.flags = FRESH;
    write.stamp = kept->count + 1;
    again.source = write.stamp;
    int64_t count = places_for(x, kept, &write, reads_from);
    int32_t *nexts = x->order;
    for (int64_t k = 0; k < count; k++) {
        int32_t next = nexts[k];
        const uint16_t *own = past_of(kept, again.thread, 0);
        node placed = write;
        if (next >= 0) placed.flags &= (uint8_t)~MAXIMAL;
        if (next >= 0 && within(kept, next, own)) continue;
        graph *with_write = graph_with(x, kept, placed, next);
        x->half_made = with_write;
        x->made = NULL;
        int32_t behind = -1;
        for (int32_t p = 0; p < with_write->count; p++)
            if (with_write->at[p].stamp == write.stamp) behind = p;
        behind = write_behind(with_write, write.place, behind);
        if (behind < 0 || !within(with_write, behind, past_of(with_write, again.thread, 0))) {
            node seen = again;
            if (behind < 0) seen.flags |= MAXIMAL;
            push_graph(x, graph_with(x, with_write, seen, behind));
        }
        graph_free(x, with_write);
        x->half_made = NULL;
    }
    graph_free(x, kept);
    x->kept = NULL;
}

/* A write is about to be added: reads that have come before it may see it instead. */
static void revisits(explored *x, const graph *g, const node *write, int32_t reads_from) {
    judgement j = {past_of(g, write->thread, 1), NULL, NULL};
    graph_stamps(x, g);
    judge(x, g, &j);
    for (int32_t stamp = g->count - 1; stamp >= 0; stamp--) {
        int32_t p = x->by_stamp[stamp];
        if (within(g, p, j.past)) continue;
        if (!is_maximal(x, g, &j, p)) return;
        if (is_read(&g->at[p]) && g->at[p].place == write->place)
            revisit(x, g, *write, p, reads_from, j.past);
    }
}

static void add_write(explored *x, const graph *g, node n, int32_t reads_from) {
    revisits(x, g, &n, reads_from);
    int64_t count = places_for(x, g, &n, reads_from);
    for (int64_t k = 0; k < count; k++) {
        node made = n;
        if (x->order[k] >= 0) made.flags &= (uint8_t)~MAXIMAL;
        push_graph(x, graph_with(x, g, made, x->order[k]));
    }
}

/* ----------------------------------------------------------------------------------------- visits */

/* The write of a step whose read is there. */
static int finish_step(explored *x, const graph *g) {
    for (int t = 0; t < x->m->threads; t++) {
        int32_t p = graph_last(g, t);
        if (p < 0 || g->at[p].kind != READS || !(g->at[p].flags & HALF)) continue;
        const node *read = &g->at[p];
        next_step step = {WRITES_PLACE, read->place, 1, 0, -1};
        node n = new_event(g, t, &step);
        n.asked = read->asked;
        n.flags |= HALF;
        add_write(x, g, n, read->source);
        return 1;
    }
    return 0;
}

static void visit(explored *x, graph *g) {
    if (!replay(x, g)) return;
    look_at_loose(x, g);
    if (!replay(x, g)) return; /* the machine may have been somewhere else */
    if (x->relaxes && (g->broken || !is_lock_consistent(x, g))) {
        if (!has_hope(x, g)) {
            look_for_deadlocks(x, g);
            look_at_failures(x, g);
            return;
        }
        g->broken = 1;
    }
    if (finish_step(x, g)) return;
    for (int t = 0; t < x->m->threads; t++) {
        next_step step = step_of(x, g, t);
        if (!step.live) continue;
        if (g->count == MOST_EVENTS) {
            show_path(x);
            search_end(x->s, CORE_ENDLESS);
        }
        node n = new_event(g, t, &step);
        if (step.kind == WRITES_PLACE)
            add_write(x, g, n, -1);
        else if (step.place >= 0)
            add_read(x, g, n);
        else
            push_graph(x, graph_with(x, g, n, -1));
        return;
    }
    if (g->broken) {
        look_for_deadlocks(x, g);
        look_at_failures(x, g);
    } else {
        look_at_end(x, g);
    }
}

static void free_graphs(explored *x) {
    while (x->depth) graph_free(x, x->stack[--x->depth]);
    graph *others[] = {x->now, x->made, x->kept, x->half_made};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) graph_free(x, others[k]);
    x->now = x->made = x->kept = x->half_made = NULL;
}

static void explored_free(void *it) {
    explored *x = it;
    free_graphs(x);
    void *all[] = {x->stack, x->locations, x->starts.all, x->found.all, x->run, x->last_write,
                   x->readers, x->by_stamp, x->order, x->rank, x->keep, x->sections, x->locked,
                   x->edges, x->topological, x->requests, x->may_write,
                   x->kept_events};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    table_free(&x->places);
    table_free(&x->tried);
    traces_free(&x->t);
    free(x);
}

static int has_operation(const form *f, int64_t from, int64_t to) {
    for (int64_t pc = 0; pc < f->records; pc++) {
        int64_t op = record_of(f, pc)[0];
        if (op >= from && op <= to) return 1;
    }
    return 0;
}

/* Whether a program has to have its locks in an order: others than sections of one thread see it. */
static int orders_itself(const form *f) {
    return has_operation(f, MUTEX_TRYLOCK, MUTEX_TRYLOCK) ||
           has_operation(f, SPIN_TRYLOCK, SPIN_TRYLOCK) || has_operation(f, COND_INIT, BARRIER_WAIT) ||
           !(has_operation(f, MUTEX_LOCK, MUTEX_LOCK) || has_operation(f, SPIN_LOCK, SPIN_LOCK));
}

static explored *explored_new(search *s) {
    explored *x = take(s->b, 1, sizeof *x);
    s->own = x;
    s->free_own = explored_free;
    x->s = s;
    x->m = s->m;
    x->b = s->b;
    x->width = WIDTH_AT_FIRST;
    x->one_place = has_operation(s->m->f, COND_WAIT, COND_WAIT);
    x->relaxes = (s->q.flags & CORE_LAPOR) && !orders_itself(s->m->f);
    search_ways(s, -1, &x->starts);
    x->start_mark = s->m->log_length;
    return x;
}

static void begin_anew(explored *x, int why) {
    if (why == RESTART_WIDER)
        x->width *= 2;
    else
        x->relaxes = 0;
    free_graphs(x);
    free(x->requests);
    free(x->kept_events);
    x->requests = x->kept_events = NULL;
    x->run_count = x->next_start = x->reader_room = 0;
    free(x->readers);
    x->readers = NULL;
    machine_undo(x->m, x->start_mark);
    traces_free(&x->t);
    core_result *r = &x->s->r;
    r->complete = r->blocked = r->redundant = r->traces = r->duplicates = 0;
}

static void start(explored *x) {
    int faulty;
    x->s->length = 0;
    x->start_step = search_take(x->s, &x->starts.all[x->next_start++], &faulty);
    search_push(x->s, x->start_step);
    x->start_end = x->m->log_length;
    if (faulty) search_end(x->s, CORE_FAULT);
    push_graph(x, graph_new(x, 1));
}

void explore_graphs(search *s) {
    explored *x = s->own ? s->own : explored_new(s);
    int why = setjmp(x->restart);
    if (why) begin_anew(x, why);
    for (;;) {
        while (x->depth) {
            search_rest(s);
            search_tick(s);
            x->now = x->stack[--x->depth];
            visit(x, x->now);
            graph_free(x, x->now);
            x->now = NULL;
        }
        replay_back(x, 0);
        machine_undo(s->m, x->start_mark);
        if (x->next_start == x->starts.count) break;
        start(x);
    }
    if (!s->r.complete && !s->r.blocked) cannot_be(x); /* some execution there always is */
}
