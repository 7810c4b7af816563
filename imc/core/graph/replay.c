/* The machine follows the graph: what both have in common stays, the rest is undone and run. */
#include "graph.h"

void replay_back(explored *x, int64_t count) {
    if (x->run_count <= count) return;
    machine_undo(x->m, x->run[count].mark);
    x->run_count = count;
}

/* The path of the search is what the machine has run. */
void show_path(explored *x) {
    search *s = x->s;
    s->length = 0;
    s->m->bounded = 0;
    search_push(s, x->start_step);
    for (int64_t k = 0; k < x->run_count; k++) search_push(s, x->run[k].step);
}

static void note(explored *x, int32_t step, int forced, int64_t mark) {
    if (x->run_count == x->run_room)
        x->run = grow(x->b, x->run, &x->run_room, x->run_count + 1, sizeof *x->run);
    x->run[x->run_count++] = (ran){step, forced, mark};
}

/* A lock that the graph leaves unordered is free when it is taken, and its own when given back. */
static void force(explored *x, const graph *g, int32_t p) {
    machine *m = x->m;
    const node *n = &g->at[p];
    const location *l = &x->locations[n->place];
    if (m->numbers[LIMITS][l->object] < l->offset + 4) return;
    int64_t at = m->numbers[FIRST][l->object] + l->offset;
    if (m->layout[at] != 4 || m->words[CELLS][at].u) return;
    uint64_t owner = 0;
    for (int32_t q = p - 1; n->kind == GIVES_LOCK && q >= 0; q--)
        if (g->at[q].thread == n->thread && g->at[q].place == n->place &&
            (g->at[q].kind == TAKES_LOCK || g->at[q].kind == GIVES_LOCK)) {
            owner = g->at[q].kind == TAKES_LOCK ? (uint64_t)n->thread + 1 : 0;
            break;
        }
    patch_cell(m, at, NUMBER(owner));
}

/* Locks of which a thread may take several have an order of their own. */
static void demand_plain_lock(explored *x, const node *n) {
    const machine *m = x->m;
    const location *l = &x->locations[n->place];
    if (l->size < 20 || m->numbers[LIMITS][l->object] < l->offset + l->size) return;
    int64_t at = m->numbers[FIRST][l->object] + l->offset + 16;
    if (m->layout[at] == 4 && m->words[CELLS][at].v & 3) longjmp(x->restart, RESTART_STRICT);
}

static int run_event(explored *x, const node *n) {
    machine *m = x->m;
    int64_t choices[MOST_CHOICES];
    int count = 0;
    if (n->asked >= 0) {
        const event *e = &x->s->e.all[n->asked];
        for (; count < e->choice_count; count++) choices[count] = x->s->e.choices[e->choices + count];
    }
    x->s->r.work++;
    int result = machine_step(m, n->thread, choices, count);
    search_check(x->s, result);
    if (m->threads > x->width) longjmp(x->restart, RESTART_WIDER);
    return result;
}

/* The step asks for a choice: a graph for each, of which one is as if there were none. */
static void branch_out(explored *x, const graph *g, int32_t p) {
    machine *m = x->m;
    int wanted = m->wanted, count = m->chosen;
    for (int k = wanted - 1; k >= 0; k--) {
        m->mover = g->at[p].thread;
        m->used[count] = k;
        m->chosen = count + 1;
        graph *other = x->made = graph_new(x, g->count + 1);
        other->broken = g->broken;
        other->count = g->count;
        for (int32_t q = 0; q < g->count; q++) other->at[q] = g->at[q];
        other->at[p].asked = event_of_choices(&x->s->e, m);
        if (k) other->at[p].flags &= (uint8_t)~MAXIMAL;
        graph_order(x, other);
        push_graph(x, other);
    }
}

_Noreturn void not_in_graphs(explored *x) {
    x->m->refused = NOT_IN_GRAPHS;
    x->m->refused_at = x->m->origin;
    search_end(x->s, CORE_REFUSED);
}

/* Whether memory is there is no value that a thread reads: one that stops for it is not understood. */
static void look_at_stop(explored *x, int thread) {
    machine *m = x->m;
    if (m->numbers[STATUS][thread] != STUCK) return;
    const uint32_t *reason = m->reasons.words + m->reasons.starts[m->numbers[REASON][thread] - 1];
    if (reason[0] == 1000 + MEMORY) not_in_graphs(x);
}

static int writes_its_place(explored *x, const node *n) {
    const location *l = &x->locations[n->place];
    int writes = 0;
    for (int k = 0; k < x->m->access_count; k++) {
        const access_t *a = &x->m->accesses[k];
        writes |= (x->one_place || a->object == l->object) && a->mode != READ;
    }
    return writes;
}

/* A fresh event has been run. */
static void tell_apart(explored *x, graph *g, int32_t p, int result, int64_t mark) {
    machine *m = x->m;
    node *n = &g->at[p];
    n->flags &= (uint8_t)~FRESH;
    if (result == CORE_BLOCKED) {
        if (n->kind != READS) not_in_graphs(x);
        n->flags |= HANGS;
        return;
    }
    if (n->kind == READS && result == CORE_MOVED && writes_its_place(x, n)) {
        n->flags |= HALF;
        machine_undo(m, mark);
        return;
    }
    int bounded = m->bounded;
    touches(x, n);
    n->step = event_of_step(&x->s->e, m, 0);
    x->s->r.events++;
    note(x, n->step, x->relaxes, mark);
    if (result == CORE_FAULTY) {
        n->flags |= FAILED;
        n->failed = n->step;
        n->step = -1;
        tell_fault(x, g, p);
        return;
    }
    if (bounded) {
        show_path(x);
        x->s->length--;
        m->bounded = 1;
        search_push(x->s, n->step);
    }
    for (int t = 0; t < m->threads; t++) look_at_stop(x, t);
    if (x->relaxes && n->kind == TAKES_LOCK) demand_plain_lock(x, n);
}

int replay(explored *x, graph *g) {
    machine *m = x->m;
    int64_t done = 0;
    int32_t p = 0;
    for (; p < g->count; p++) {
        if (g->at[p].flags & FRESH) break;
        if (g->at[p].step < 0) continue;
        if (done == x->run_count || x->run[done].step != g->at[p].step ||
            x->run[done].forced != x->relaxes)
            break;
        done++;
    }
    replay_back(x, done);
    for (; p < g->count; p++) {
        node *n = &g->at[p];
        int fresh = (n->flags & FRESH) != 0;
        if (!fresh && n->step < 0) continue;
        int64_t mark = m->log_length;
        if (n->kind == TAKES_LOCK || n->kind == GIVES_LOCK) force(x, g, p);
        int result = run_event(x, n);
        if (fresh && result == CORE_NEEDS_CHOICE) {
            branch_out(x, g, p);
            machine_undo(m, mark);
            return 0;
        }
        if (fresh) {
            tell_apart(x, g, p, result, mark);
            if (n->flags & FAILED) return replay(x, g); /* the machine has been somewhere else */
        } else {
            if (result != CORE_MOVED) not_in_graphs(x); /* cannot be */
            note(x, n->step, x->relaxes, mark);
        }
    }
    return 1;
}

int replay_in_order(explored *x, const graph *g, const int32_t *order, int64_t count) {
    int64_t done = 0, k = 0;
    for (; k < count; k++) {
        if (g->at[order[k]].step < 0) continue;
        if (done == x->run_count || x->run[done].step != g->at[order[k]].step ||
            x->run[done].forced)
            break;
        done++;
    }
    replay_back(x, done);
    for (; k < count; k++) {
        const node *n = &g->at[order[k]];
        if (n->step < 0) continue;
        int64_t mark = x->m->log_length;
        int result = run_event(x, n);
        if (result == CORE_FAULTY) note(x, event_of_step(&x->s->e, x->m, 0), 0, mark);
        if (result != CORE_MOVED) return result;
        note(x, n->step, 0, mark);
    }
    return CORE_MOVED;
}
