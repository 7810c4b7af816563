/* Sections of locks, which graphs leave unordered: whether mutual exclusion allows a graph, and an
 * order in which it does. The idea is LAPOR's (Kokologiannakis, Raad, Vafeiadis: "Effective lock
 * handling in stateless model checking", OOPSLA 2019); what orders two sections here is any path from
 * the first event of one to the last one of the other, not only events that meet directly. */
#include "graph.h"

#include <string.h>

static void add_section(explored *x, section made) {
    if (x->section_count == x->section_room)
        x->sections = grow(x->b, x->sections, &x->section_room, x->section_count + 1,
                           sizeof *x->sections);
    x->sections[x->section_count++] = made;
}

/* A section that is open has the events that its thread has. */
void find_sections(explored *x, const graph *g) {
    x->section_count = 0;
    for (int32_t p = 0; p < g->count; p++) {
        const node *n = &g->at[p];
        if (n->kind == TAKES_LOCK) add_section(x, (section){n->place, p, p, n->thread, 1});
        for (int64_t k = 0; k < x->section_count; k++) {
            section *s = &x->sections[k];
            if (s->thread != n->thread || !s->is_open) continue;
            s->last = p;
            s->is_open = n->kind != GIVES_LOCK || n->place != s->lock;
        }
    }
}

void add_edge(explored *x, int32_t from, int32_t to) {
    if (2 * (x->edge_count + 1) > x->edge_room)
        x->edges = grow(x->b, x->edges, &x->edge_room, 2 * (x->edge_count + 1), sizeof *x->edges);
    x->edges[2 * x->edge_count] = from;
    x->edges[2 * x->edge_count + 1] = to;
    x->edge_count++;
}

/* What uses an object comes before what ends it, or it would be an error. */
void begin_edges(explored *x, const graph *g) {
    x->edge_count = 0;
    for (int32_t p = 0; p < g->count; p++) {
        if (!(g->at[p].flags & ENDS_OBJECTS)) continue;
        for (int32_t q = 0; q < g->count; q++) {
            const node *o = &g->at[q];
            if (o->thread != g->at[p].thread && o->step >= 0 && !(o->flags & (EXITS_ALL | ENDS_OBJECTS)) &&
                dependent(&x->s->e, x->b, g->at[p].step, o->step))
                add_edge(x, q, p);
        }
    }
}

static void join_clock(uint16_t *clock, const uint16_t *other, int width) {
    for (int t = 0; t < width; t++)
        if (clock[t] < other[t]) clock[t] = other[t];
}

/* Lists of edges by the event that they begin or end at, and events by thread and index. */
typedef struct {
    int32_t *out, *in, *next_out, *next_in, *incoming, *done, *event_at, first[MOST_THREADS];
} links;

static links link_up(explored *x, const graph *g) {
    int64_t count = g->count, edges = x->edge_count, wanted = 6 * (count + 1) + 2 * (edges + 1);
    links l = {0};
    if (wanted > x->topological_room)
        x->topological = grow(x->b, x->topological, &x->topological_room, wanted,
                              sizeof *x->topological);
    l.out = x->topological + count + 1;
    l.in = l.out + count + 1;
    l.incoming = l.in + count + 1;
    l.done = l.incoming + count + 1;
    l.event_at = l.done + count + 1;
    l.next_out = l.event_at + count + 1;
    l.next_in = l.next_out + edges + 1;
    for (int64_t p = 0; p < count; p++) {
        l.out[p] = l.in[p] = -1;
        l.incoming[p] = l.done[p] = 0;
        if (g->at[p].thread + 1 < MOST_THREADS) l.first[g->at[p].thread + 1]++;
    }
    for (int t = 1; t < MOST_THREADS; t++) l.first[t] += l.first[t - 1];
    for (int32_t p = 0; p < count; p++) l.event_at[l.first[g->at[p].thread] + g->at[p].index] = p;
    for (int32_t e = 0; e < edges; e++) {
        int32_t from = x->edges[2 * e], to = x->edges[2 * e + 1];
        l.next_out[e] = l.out[from];
        l.out[from] = e;
        l.next_in[e] = l.in[to];
        l.in[to] = e;
        l.incoming[to]++;
    }
    return l;
}

/* The clock of an event whose past has its clocks. */
static void clock_with_edges(explored *x, const graph *g, const links *l, int32_t p) {
    int width = g->width;
    const uint16_t *before = before_of(g, p);
    uint16_t *clock = x->locked + (int64_t)p * width;
    memcpy(clock, before, (size_t)width * sizeof *clock);
    for (int32_t e = l->in[p]; e >= 0; e = l->next_in[e])
        join_clock(clock, x->locked + (int64_t)x->edges[2 * e] * width, width);
    for (int t = 0; t < width; t++) {
        int32_t count = before[t] - (t == g->at[p].thread);
        if (count > 0)
            join_clock(clock, x->locked + (int64_t)l->event_at[l->first[t] + count - 1] * width,
                       width);
    }
}

/* Clocks of all events with the edges, in `locked`; an order that they allow, in `topological`. 0: there
 * is a circle. */
static int order_with_edges(explored *x, const graph *g) {
    int width = g->width;
    int32_t done = 0, count = g->count;
    uint16_t have[MOST_THREADS] = {0};
    if ((int64_t)count * width > x->locked_room)
        x->locked = grow(x->b, x->locked, &x->locked_room, (int64_t)count * width,
                         sizeof *x->locked);
    links l = link_up(x, g);
    for (int moved = 1; moved && done < count;) {
        moved = 0;
        for (int32_t p = 0; p < count; p++) {
            const uint16_t *before = before_of(g, p);
            int fits = !l.done[p] && !l.incoming[p];
            for (int t = 0; t < width && fits; t++)
                fits = before[t] <= have[t] + (t == g->at[p].thread);
            if (!fits) continue;
            clock_with_edges(x, g, &l, p);
            have[g->at[p].thread]++;
            x->topological[done++] = p;
            l.done[p] = moved = 1;
            for (int32_t e = l.out[p]; e >= 0; e = l.next_out[e])
                l.incoming[x->edges[2 * e + 1]]--;
        }
    }
    return done == count;
}

static int reaches(const explored *x, const graph *g, int32_t from, int32_t to) {
    return within(g, from, x->locked + (int64_t)to * g->width);
}

int saturate(explored *x, const graph *g) {
    for (;;) {
        int changed = 0;
        if (!order_with_edges(x, g)) return 0;
        for (int64_t j = 0; j < x->section_count; j++)
            for (int64_t k = 0; k < x->section_count; k++) {
                const section *a = &x->sections[j], *b = &x->sections[k];
                if (a->lock != b->lock || a->thread == b->thread ||
                    !reaches(x, g, a->first, b->last) || reaches(x, g, a->last, b->first))
                    continue;
                add_edge(x, a->last, b->first);
                changed = 1;
            }
        if (!changed) return 1;
    }
}

/* Sections that are open come last of their lock; 0: there are two. */
static int put_open_last(explored *x) {
    for (int64_t j = 0; j < x->section_count; j++) {
        const section *a = &x->sections[j];
        for (int64_t k = 0; a->is_open && k < x->section_count; k++) {
            const section *b = &x->sections[k];
            if (j == k || a->lock != b->lock) continue;
            if (b->is_open) return 0;
            if (a->thread != b->thread) add_edge(x, b->last, a->first);
        }
    }
    return 1;
}

/* The order in which sections happen to stand: most of the time it does. */
static int try_order_at_hand(explored *x, const graph *g) {
    int64_t edges = x->edge_count;
    int32_t *rank = x->topological + g->count + 1; /* its links are not needed any more */
    for (int32_t k = 0; k < g->count; k++) rank[x->topological[k]] = k;
    for (int64_t j = 0; j < x->section_count; j++) {
        const section *a = &x->sections[j], *next = NULL;
        for (int64_t k = 0; k < x->section_count; k++) {
            const section *b = &x->sections[k];
            if (a->lock == b->lock && rank[b->first] > rank[a->first] &&
                (next == NULL || rank[b->first] < rank[next->first]))
                next = b;
        }
        if (next != NULL && next->thread != a->thread) add_edge(x, a->last, next->first);
    }
    if (saturate(x, g)) return 1;
    x->edge_count = edges;
    return 0;
}

static int find_order(explored *x, const graph *g) {
    if (!saturate(x, g)) return 0;
    for (int64_t j = 0; j < x->section_count; j++)
        for (int64_t k = 0; k < j; k++) {
            section a = x->sections[j], b = x->sections[k];
            if (a.lock != b.lock || a.thread == b.thread || reaches(x, g, a.last, b.first) ||
                reaches(x, g, b.last, a.first))
                continue;
            int64_t edges = x->edge_count;
            add_edge(x, b.last, a.first);
            if (find_order(x, g)) return 1;
            x->edge_count = edges;
            add_edge(x, a.last, b.first);
            if (find_order(x, g)) return 1;
            x->edge_count = edges;
            return 0;
        }
    return 1;
}

int order_exactly(explored *x, const graph *g) {
    find_sections(x, g);
    if (!put_open_last(x) || !saturate(x, g)) return 0;
    return try_order_at_hand(x, g) || find_order(x, g);
}

/* Whether sections of two threads have a lock in common. */
static int have_company(const explored *x) {
    for (int64_t j = 0; j < x->section_count; j++)
        for (int64_t k = 0; k < j; k++)
            if (x->sections[j].lock == x->sections[k].lock &&
                x->sections[j].thread != x->sections[k].thread)
                return 1;
    return 0;
}

int is_lock_consistent(explored *x, const graph *g) {
    find_sections(x, g);
    begin_edges(x, g);
    return (!x->edge_count && !have_company(x)) || saturate(x, g);
}

void close_sections(explored *x, const graph *g, uint16_t *clock, const uint16_t *most) {
    uint16_t more[MOST_THREADS];
    find_sections(x, g);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t k = 0; k < x->section_count; k++) {
            const section *s = &x->sections[k];
            if (s->is_open || !within(g, s->first, clock) || within(g, s->last, clock)) continue;
            memcpy(more, clock, sizeof more);
            join_clock(more, porf_of(g, s->last), g->width);
            int fits = 1;
            for (int t = 0; t < g->width; t++) fits = fits && more[t] <= most[t];
            if (!fits) continue;
            memcpy(clock, more, sizeof more);
            changed = 1;
        }
    }
}
