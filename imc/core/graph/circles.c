/* Deadlocks where sections of locks are unordered: threads that each hold what another one asks for,
 * somewhere in an execution that went on as if they did not. What such a circle needs is run by the
 * machine with its locks, so what is told is an execution. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* A thread asks for a lock, or for another one's end, while it holds some. */
typedef struct {
    int thread, joins;
    int32_t index, lock;
    int32_t position; /* of the event; -1: it has not been added */
    uint64_t holds;   /* locks by their number in `locks` */
} request;

typedef struct {
    explored *x;
    const graph *g;
    request *all;
    int64_t count;
    int32_t locks[64];
    int lock_count;
    int64_t path[MOST_THREADS];
    int length;
} circles;

static int number_of(circles *c, int32_t place) {
    for (int k = 0; k < c->lock_count; k++)
        if (c->locks[k] == place) return k;
    if (c->lock_count == 64) longjmp(c->x->restart, RESTART_STRICT);
    c->locks[c->lock_count] = place;
    return c->lock_count++;
}

static void ask(circles *c, int thread, int32_t index, int32_t position, int kind, int32_t place,
                int joins, uint64_t *holds) {
    int lock = kind == TAKES_LOCK || kind == GIVES_LOCK ? number_of(c, place) : -1;
    if (kind == TAKES_LOCK || joins >= 0)
        c->all[c->count++] = (request){thread, joins, index, kind == TAKES_LOCK ? lock : -1,
                                       position, *holds};
    if (kind == TAKES_LOCK) *holds |= 1ull << lock;
    if (kind == GIVES_LOCK) *holds &= ~(1ull << lock);
}

/* Requests of all threads; a last one of each says what it holds at its end, and asks for nothing. */
static void find_requests(circles *c) {
    explored *x = c->x;
    const graph *g = c->g;
    for (int t = 0; t < x->m->threads; t++) {
        uint64_t holds = 0;
        int32_t index = 0;
        if (x->m->numbers[STATUS][t] == ABSENT) continue;
        for (int32_t p = 0; p < g->count; p++) {
            const node *n = &g->at[p];
            if (n->thread != t) continue;
            ask(c, t, n->index, p, n->kind, n->place, n->joined, &holds);
            index = n->index + 1;
        }
        if (x->m->numbers[STATUS][t] == RUNNING) {
            next_step next = step_of(x, g, t);
            if (next.kind == TAKES_LOCK || next.joins >= 0)
                ask(c, t, index, -1, next.kind, next.place, next.joins, &holds);
        } else if (x->m->numbers[STATUS][t] == DONE && holds) {
            c->all[c->count++] = (request){t, -1, index, -1, -1, holds};
        }
    }
}

/* All that the requests of the path need, but not they themselves; 0: that cannot be. */
static int what_is_needed(circles *c, uint16_t *clock) {
    const graph *g = c->g;
    memset(clock, 0, MOST_THREADS * sizeof *clock);
    for (int k = 0; k < c->length; k++) {
        const request *r = &c->all[c->path[k]];
        for (int32_t p = 0; p < g->count; p++) {
            int leads = (g->at[p].thread == r->thread && g->at[p].index == r->index - 1) ||
                        g->at[p].spawned == r->thread;
            for (int t = 0; leads && t < g->width; t++)
                if (clock[t] < porf_of(g, p)[t]) clock[t] = porf_of(g, p)[t];
        }
    }
    for (int k = 0; k < c->length; k++)
        if (clock[c->all[c->path[k]].thread] > c->all[c->path[k]].index) return 0;
    return 1;
}

static int is_on_path(const circles *c, int thread) {
    for (int k = 0; k < c->length; k++)
        if (c->all[c->path[k]].thread == thread) return 1;
    return 0;
}

/* Lets the machine go on by itself to an end. */
static void run_on(explored *x) {
    search *s = x->s;
    for (int64_t steps = 0; steps < 100000; steps++) {
        x->found.count = 0;
        search_moves(s, &x->found);
        if (s->blocked && waits_in_circle(s)) search_end(s, CORE_DEADLOCK);
        if (!x->found.count) {
            if (is_complete(s->m) || is_stopped(s)) return;
            search_end(s, CORE_DEADLOCK);
        }
        int faulty;
        int32_t step = search_take(s, &x->found.all[0], &faulty);
        search_push(s, step);
        if (faulty) search_end(s, CORE_FAULT);
    }
}

static void try_clock(circles *c, const uint16_t *clock) {
    explored *x = c->x;
    uint8_t *keep = take(x->b, c->g->count, 1);
    for (int32_t p = 0; p < c->g->count; p++) keep[p] = within(c->g, p, clock);
    graph *less = x->made = graph_kept(x, c->g, keep);
    free(keep);
    begin_edges(x, less);
    if (order_exactly(x, less) &&
        replay_in_order(x, less, x->topological, less->count) == CORE_MOVED) {
        show_path(x);
        run_on(x);
        machine_undo(x->m, x->start_end);
        x->run_count = 0;
    }
    graph_free(x, less);
    x->made = NULL;
}

static void look_at(circles *c) {
    uint16_t clock[MOST_THREADS], closed[MOST_THREADS], most[MOST_THREADS];
    if (!what_is_needed(c, clock)) return;
    memcpy(closed, clock, sizeof closed);
    memset(most, 0xff, sizeof most);
    for (int k = 0; k < c->length; k++)
        most[c->all[c->path[k]].thread] = (uint16_t)c->all[c->path[k]].index;
    close_sections(c->x, c->g, closed, most);
    try_clock(c, closed);
    if (memcmp(closed, clock, sizeof closed)) try_clock(c, clock);
    cannot_be(c->x); /* or only with less of the graph: that is for ordered locks to find out */
}

/* Whether a thread that stands at one request keeps another one from going on. */
static int keeps(const request *holder, const request *asking) {
    return asking->lock >= 0 ? (int)(holder->holds >> asking->lock & 1)
                             : asking->joins == holder->thread;
}

static void walk(circles *c) {
    search_tick(c->x->s);
    const request *last = &c->all[c->path[c->length - 1]], *first = &c->all[c->path[0]];
    if (keeps(first, last)) look_at(c);
    for (int64_t k = 0; k < c->count; k++) {
        const request *r = &c->all[k];
        if (is_on_path(c, r->thread) || !keeps(r, last)) continue;
        int is_end = r->lock < 0 && r->joins < 0; /* who has ended gives nothing back */
        if (!is_end && r->thread < first->thread) continue;
        c->path[c->length++] = k;
        if (is_end)
            look_at(c);
        else
            walk(c);
        c->length--;
    }
}

void look_for_deadlocks(explored *x, const graph *g) {
    circles c = {x, g, NULL, 0, {0}, 0, {0}, 0};
    uint64_t held = 0;
    if (!(x->m->f->checked & DEADLOCK)) return;
    c.all = x->requests = take(x->b, g->count + 2 * x->m->threads, sizeof *c.all);
    find_requests(&c);
    for (int64_t k = 0; k < c.count; k++) held |= c.all[k].holds;
    for (int64_t k = 0; held && k < c.count; k++) {
        if (c.all[k].lock < 0 && c.all[k].joins < 0) continue;
        c.path[0] = k;
        c.length = 1;
        walk(&c);
    }
    free(c.all);
    x->requests = NULL;
}
