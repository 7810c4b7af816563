/* Whether a revisit may still mend a graph that mutual exclusion does not allow. Such a graph is left
 * only if there is no hope: locks are no part of what is explored, so that nothing is lost. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* Some of a graph's events, which must have what they need. */
graph *graph_kept(explored *x, const graph *g, const uint8_t *keep) {
    graph *made = graph_new(x, g->count + 1);
    int32_t *as = malloc(((size_t)g->count + 1) * sizeof *as), next = 0;
    if (as == NULL) longjmp(x->b->exhausted, 1);
    graph_stamps(x, g);
    for (int32_t k = 0; k < g->count; k++) {
        as[k] = next;
        next += keep[x->by_stamp[k]];
    }
    for (int32_t p = 0; p < g->count; p++) {
        if (!keep[p]) continue;
        node n = g->at[p];
        n.stamp = as[n.stamp];
        if (n.source >= 0) n.source = as[n.source];
        made->at[made->count++] = n;
    }
    free(as);
    graph_order(x, made);
    return made;
}

/* ------------------------------------------------------------------------- who may write something */

enum { DATA = 1, LOCK_OBJECTS = 2 };

static int writes_itself(int64_t op) {
    switch (op) {
    case VISIBLE_STORE: case VISIBLE_UPDATE: case VISIBLE_EXCHANGE: case SPAWN:
        return DATA;
    case MUTEX_INIT: case SPIN_INIT: case COND_INIT: case MUTEX_DESTROY: case DESTROY:
        return LOCK_OBJECTS;
    case ATOMIC_BEGIN: case VISIBLE_PERFORM:
        return DATA | LOCK_OBJECTS;
    default:
        return 0;
    }
}

static int of_cases(const uint8_t *may, const int64_t *t) {
    int found = 0;
    for (int64_t k = 0; k < t[0]; k++) found |= may[t[2 + 2 * k]];
    return found;
}

static int follows(const form *f, const uint8_t *may, int64_t pc) {
    const int64_t *i = record_of(f, pc), *t;
    int next = pc + 1 < f->records ? may[pc + 1] : 0;
    switch (i[0]) {
    case JUMP: return may[i[2]];
    case BRANCH: return may[i[3]] | may[i[4]];
    case CALL: return may[i[2]] | next;
    case RETURN: case VISIBLE_RETURN: case THREAD_EXIT: case EXIT: case ABORT: return 0;
    case JOIN: /* nothing is written if its result goes to a constant address: none */
        return next | (i[3] < f->persistent || !f->registers_defined.at[i[3]] ? DATA : 0);
    case SWITCH:
        t = f->tables.at + i[3];
        return of_cases(may, t) | may[t[1 + 2 * t[0]]];
    case DISPATCH: return of_cases(may, f->tables.at + i[3]) | next;
    default: return next;
    }
}

/* By record; what follows a function's return is not in it. */
static const uint8_t *code_that_writes(explored *x) {
    const form *f = x->m->f;
    if (x->may_write) return x->may_write;
    uint8_t *may = x->may_write = take(x->b, f->records, 1);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t pc = f->records - 1; pc >= 0; pc--) {
            int found = may[pc] | writes_itself(record_of(f, pc)[0]) | follows(f, may, pc);
            changed |= found != may[pc];
            may[pc] = (uint8_t)found;
        }
    }
    return may;
}

static int thread_may_write(explored *x, int thread) {
    const machine *m = x->m;
    const form *f = m->f;
    const uint8_t *may = code_that_writes(x);
    int64_t pc = m->numbers[PCS][thread];
    int found = may[pc];
    if (f->end_of_thread >= 0) return DATA | LOCK_OBJECTS;
    for (int64_t function = function_at(f, pc), depth = 0;; depth++) {
        value back = registers_of(m, thread)[function_of(f, function)[F_LINK]];
        if (back.u) return found;
        if (back.v < 1 || back.v >= (uint64_t)f->records || depth > f->function_count)
            return DATA | LOCK_OBJECTS;
        found |= may[back.v];
        function = function_at(f, (int64_t)back.v - 1);
    }
}

/* ------------------------------------------------------------------------------------------- hope */

static int may_leave(const graph *g, int32_t p) {
    return !(g->at[p].flags & (HANGS | FAILED | EXITS_ALL));
}

/* Events of one place, one after the other: `next` of each, and the first ones. */
typedef struct {
    int32_t *next, *first;
} chains;

static chains chain_up(explored *x, const graph *g) {
    int64_t wanted = g->count + x->places.count;
    if (wanted > x->rank_room)
        x->rank = grow(x->b, x->rank, &x->rank_room, wanted, sizeof *x->rank);
    chains c = {x->rank, x->rank + g->count};
    for (int64_t k = 0; k < x->places.count; k++) c.first[k] = -1;
    for (int32_t p = g->count - 1; p >= 0; p--)
        if (g->at[p].place >= 0) {
            c.next[p] = c.first[g->at[p].place];
            c.first[g->at[p].place] = p;
        }
    return c;
}

/* Whether an event would not be added again as it is; `needed`: what is in the write's past anyway. */
static int is_not_maximal(explored *x, const graph *g, const chains *c, int32_t p,
                          const uint16_t *needed) {
    const node *n = &g->at[p];
    if (n->place < 0) return 0;
    int32_t source = n->kind == WRITES_PLACE ? p : n->source < 0 ? -1 : x->by_stamp[n->source];
    int32_t q = source < 0 ? c->first[n->place] : c->next[source];
    for (; q >= 0; q = c->next[q]) {
        const node *o = &g->at[q];
        if (o->stamp > n->stamp && !within(g, q, needed)) continue;
        if (o->kind == WRITES_PLACE) return 1;
        if (n->kind == WRITES_PLACE && o->source == n->stamp) return 1;
    }
    return 0;
}

static void need(uint16_t *needed, const graph *g, int32_t p) {
    for (int t = 0; t < g->width; t++)
        if (needed[t] < porf_of(g, p)[t]) needed[t] = porf_of(g, p)[t];
}

/* What each write that revisits the read must have in its past; 0: none can. */
static int required(explored *x, const graph *g, const chains *c, int32_t read,
                    uint16_t *needed) {
    int32_t stamp = g->at[read].stamp;
    memset(needed, 0, MOST_THREADS * sizeof *needed);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int32_t p = 0; p < g->count; p++) {
            const node *n = &g->at[p];
            if (n->stamp <= stamp || within(g, p, needed) || !is_not_maximal(x, g, c, p, needed))
                continue;
            int32_t exit = p;
            for (int32_t q = p; q < g->count; q++) {
                if (g->at[q].thread != n->thread) continue;
                exit = q;
                if (g->at[q].kind == WRITES_PLACE || g->at[q].spawned >= 0) break;
            }
            if (g->at[exit].kind != WRITES_PLACE && !may_leave(g, exit)) return 0;
            need(needed, g, exit);
            changed = 1;
        }
    }
    return !within(g, read, needed) && !is_not_maximal(x, g, c, read, needed);
}

/* Threads that may write, by what; and what their writes would need in any case. */
typedef struct {
    int32_t last[MOST_THREADS]; /* position of an event that they need, -1 none */
    uint8_t what[MOST_THREADS];
} writers;

static void find_pasts(const graph *g, writers *w) {
    for (int t = 0; t < g->width; t++) w->last[t] = -1;
    for (int32_t p = 0; p < g->count; p++) {
        w->last[g->at[p].thread] = p;
        if (g->at[p].spawned >= 0) w->last[g->at[p].spawned] = p;
    }
}

/* Whether a thread that may write something can do so without what the read has begun. */
static int is_in_reach(const graph *g, int32_t read, const writers *w) {
    int what = g->at[read].kind == READS ? DATA : LOCK_OBJECTS;
    for (int t = 0; t < g->width; t++)
        if (w->what[t] & what && t != g->at[read].thread &&
            (w->last[t] < 0 || !within(g, read, porf_of(g, w->last[t]))))
            return 1;
    return 0;
}

enum { MOST_TRIED = 2000 }; /* then there is hope: that costs time and nothing else */

/* Whether what is left of the graph has been looked at; events of a thread are left in their order. */
static int was_tried(explored *x, const graph *g) {
    uint32_t counts[MOST_THREADS] = {0};
    int64_t known = x->tried.count;
    for (int32_t p = 0; p < g->count; p++) counts[g->at[p].thread]++;
    return table_number(&x->tried, x->b, counts, g->width) < known;
}

static int may_be_mended(explored *x, const graph *g, writers w) {
    uint16_t needed[MOST_THREADS];
    find_pasts(g, &w);
    for (int32_t read = g->count - 1; read >= 0; read--) {
        if (!is_read(&g->at[read]) || !is_in_reach(g, read, &w)) continue;
        graph_stamps(x, g);
        chains c = chain_up(x, g);
        if (!required(x, g, &c, read, needed)) continue;
        uint8_t *keep = take(x->b, g->count, 1);
        writers further = w;
        for (int32_t p = 0; p < g->count; p++) {
            keep[p] = g->at[p].stamp < g->at[read].stamp || within(g, p, needed);
            if (!keep[p]) further.what[g->at[p].thread] = DATA | LOCK_OBJECTS;
        }
        graph *less = graph_kept(x, g, keep);
        free(keep);
        int mended = !was_tried(x, less) &&
                     (x->tried.count > MOST_TRIED || is_lock_consistent(x, less) ||
                      may_be_mended(x, less, further));
        graph_free(x, less);
        if (mended) return 1;
    }
    return 0;
}

int has_hope(explored *x, const graph *g) {
    writers w = {{0}, {0}};
    for (int t = 0; t < x->m->threads; t++) {
        int32_t last = graph_last(g, t);
        int half = last >= 0 && g->at[last].kind == READS && g->at[last].flags & HALF;
        next_step step = step_of(x, g, t);
        if (step.live || step.sleeps || half) w.what[t] = (uint8_t)thread_may_write(x, t);
        if (half) w.what[t] |= DATA;
    }
    table_free(&x->tried);
    return may_be_mended(x, g, w);
}
