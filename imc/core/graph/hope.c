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

static int may_write_itself(int64_t op) {
    switch (op) {
    case VISIBLE_STORE: case VISIBLE_UPDATE: case VISIBLE_EXCHANGE: case SPAWN: case MUTEX_INIT:
    case SPIN_INIT: case COND_INIT: case MUTEX_DESTROY: case DESTROY: case ATOMIC_BEGIN:
    case VISIBLE_PERFORM:
        return 1;
    default:
        return 0;
    }
}

static int follows(const form *f, const uint8_t *may, int64_t pc) {
    const int64_t *i = record_of(f, pc), *t;
    switch (i[0]) {
    case JUMP: return may[i[2]];
    case BRANCH: return may[i[3]] || may[i[4]];
    case CALL: return may[i[2]] || may[pc + 1];
    case RETURN: case VISIBLE_RETURN: case THREAD_EXIT: case EXIT: case ABORT: return 0;
    case JOIN: /* nothing is written if its result goes to a constant address: none */
        return may[pc + 1] || i[3] < f->persistent || !f->registers_defined.at[i[3]];
    case SWITCH:
        t = f->tables.at + i[3];
        for (int64_t k = 0; k < t[0]; k++)
            if (may[t[2 + 2 * k]]) return 1;
        return may[t[1 + 2 * t[0]]];
    case DISPATCH:
        t = f->tables.at + i[3];
        for (int64_t k = 0; k < t[0]; k++)
            if (may[t[2 + 2 * k]]) return 1;
        return may[pc + 1 < f->records ? pc + 1 : pc];
    default: return pc + 1 < f->records ? may[pc + 1] : 0;
    }
}

/* By record; what follows a function's return is not in it. */
static const uint8_t *code_that_writes(explored *x) {
    const form *f = x->m->f;
    if (x->may_write) return x->may_write;
    uint8_t *may = x->may_write = take(x->b, f->records, 1);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t pc = f->records - 1; pc >= 0; pc--)
            if (!may[pc] && (may_write_itself(record_of(f, pc)[0]) || follows(f, may, pc)))
                may[pc] = changed = 1;
    }
    return may;
}

static int thread_may_write(explored *x, int thread) {
    const machine *m = x->m;
    const form *f = m->f;
    const uint8_t *may = code_that_writes(x);
    int64_t pc = m->numbers[PCS][thread];
    if (may[pc] || f->end_of_thread >= 0) return 1;
    for (int64_t function = function_at(f, pc), depth = 0;; depth++) {
        value back = registers_of(m, thread)[function_of(f, function)[F_LINK]];
        if (back.u) return 0;
        if (back.v < 1 || back.v >= (uint64_t)f->records || depth > f->function_count) return 1;
        if (may[back.v]) return 1;
        function = function_at(f, (int64_t)back.v - 1);
    }
}

/* ------------------------------------------------------------------------------------------- hope */

static int may_leave(const graph *g, int32_t p) {
    return !(g->at[p].flags & (HANGS | FAILED | EXITS_ALL));
}

/* Whether an event would not be added again as it is; `needed`: what is in the write's past anyway. */
static int is_not_maximal(explored *x, const graph *g, int32_t p, const uint16_t *needed) {
    const node *n = &g->at[p];
    if (n->place < 0) return 0;
    int32_t source = n->kind == WRITES_PLACE ? p : n->source < 0 ? -1 : x->by_stamp[n->source];
    for (int32_t q = 0; q < g->count; q++) {
        const node *o = &g->at[q];
        if (o->place != n->place || (o->stamp > n->stamp && !within(g, q, needed))) continue;
        if (o->kind == WRITES_PLACE && q > source && q != p) return 1;
        if (n->kind == WRITES_PLACE && o->kind != WRITES_PLACE && o->source == n->stamp) return 1;
    }
    return 0;
}

static void need(uint16_t *needed, const graph *g, int32_t p) {
    for (int t = 0; t < g->width; t++)
        if (needed[t] < porf_of(g, p)[t]) needed[t] = porf_of(g, p)[t];
}

/* What each write that revisits the read must have in its past; 0: none can. */
static int required(explored *x, const graph *g, int32_t read, uint16_t *needed) {
    int32_t stamp = g->at[read].stamp;
    memset(needed, 0, MOST_THREADS * sizeof *needed);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int32_t p = 0; p < g->count; p++) {
            const node *n = &g->at[p];
            if (n->stamp <= stamp || within(g, p, needed) || !is_not_maximal(x, g, p, needed))
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
    return !within(g, read, needed) && !is_not_maximal(x, g, read, needed);
}

/* Whether a thread that may write something can do so without what the read has begun. */
static int is_in_reach(const graph *g, int32_t read, uint64_t writers) {
    for (int t = 0; t < g->width; t++)
        if (writers >> t & 1 && t != g->at[read].thread && !within(g, read, past_of(g, t, 1)))
            return 1;
    return 0;
}

static int may_be_mended(explored *x, const graph *g, uint64_t writers) {
    uint16_t needed[MOST_THREADS];
    for (int32_t read = g->count - 1; read >= 0; read--) {
        if (!is_read(&g->at[read]) || !is_in_reach(g, read, writers)) continue;
        graph_stamps(x, g);
        if (!required(x, g, read, needed)) continue;
        uint8_t *keep = take(x->b, g->count, 1);
        uint64_t further = writers;
        for (int32_t p = 0; p < g->count; p++) {
            keep[p] = g->at[p].stamp < g->at[read].stamp || within(g, p, needed);
            if (!keep[p]) further |= 1ull << g->at[p].thread;
        }
        graph *less = graph_kept(x, g, keep);
        free(keep);
        int mended = is_lock_consistent(x, less) || may_be_mended(x, less, further);
        graph_free(x, less);
        if (mended) return 1;
    }
    return 0;
}

int has_hope(explored *x, const graph *g) {
    uint64_t writers = 0;
    for (int t = 0; t < x->m->threads; t++) {
        int32_t last = graph_last(g, t);
        int half = last >= 0 && g->at[last].kind == READS && g->at[last].flags & HALF;
        next_step step = step_of(x, g, t);
        if ((step.live || step.sleeps || half) && thread_may_write(x, t)) writers |= 1ull << t;
    }
    return may_be_mended(x, g, writers);
}
