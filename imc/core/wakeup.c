/* Wakeup trees: which executions are still to be explored from a prefix, in which order. As
 * imc/explorer/wakeup.py. */
#include "explorer.h"

int32_t node_new(explorer *x, int32_t event_number, int32_t parent) {
    int32_t node = x->free_node;
    if (node >= 0) {
        x->free_node = x->nodes[node].next;
    } else {
        if (x->node_count == x->node_room)
            x->nodes = grow(x->b, x->nodes, &x->node_room, x->node_count + 1, sizeof *x->nodes);
        node = (int32_t)x->node_count++;
    }
    x->nodes[node] = (branch){event_number, -1, -1, -1};
    if (parent >= 0) {
        branch *above = &x->nodes[parent];
        if (above->last >= 0)
            x->nodes[above->last].next = node;
        else
            above->first = node;
        above->last = node;
    }
    return node;
}

void node_free(explorer *x, int32_t node) {
    while (x->nodes[node].first >= 0) {
        int32_t below = x->nodes[node].first;
        x->nodes[node].first = x->nodes[below].next;
        node_free(x, below);
    }
    x->nodes[node].next = x->free_node;
    x->free_node = node;
}

/* Whether an event that is possible where the machine is does the same there: its modes may
 * depend on who has come before. */
int same_after(explorer *x, int32_t event_number) {
    const event *e = &x->e->all[event_number];
    if (x->m->numbers[STATUS][e->thread] != RUNNING) return 0;
    try_thread(x, e->thread, &x->tried);
    e = &x->e->all[event_number];
    for (int64_t n = 0; n < x->tried.count; n++) {
        const event *other = &x->e->all[x->tried.all[n]];
        int alike = other->access_count == e->access_count;
        for (int k = 0; alike && k < e->access_count; k++) {
            const cell_access *a = &x->e->accesses[e->accesses + k];
            const cell_access *b = &x->e->accesses[other->accesses + k];
            alike = a->mode == b->mode && a->object == b->object && a->offset == b->offset;
        }
        if (alike) return 1;
    }
    return 0;
}

/* Whether an event that is possible after `base` events does the same after others. */
int commutes(explorer *x, int64_t base, int32_t event_number, const int32_t *taken,
             int64_t taken_count, const plan *p) {
    go_back(x, base);
    for (int64_t k = 0; k < taken_count; k++) step_again(x, taken[k]);
    for (int64_t k = 0; k < p->count; k++) step_again(x, p->all[k].event);
    int same = same_after(x, event_number);
    go_on_again(x, base);
    return same;
}

enum { MATTERS = -2, NOT_THERE = -1 };

static int64_t weak_initial(explorer *x, int64_t base, int32_t event_number, const plan *p,
                            const int32_t *taken, int64_t taken_count) {
    const event *e = &x->e->all[event_number];
    for (int64_t k = 0; k < p->count; k++) {
        if (x->e->all[p->all[k].event].thread != e->thread) continue;
        if (!same_choices(x->e, p->all[k].event, event_number)) return MATTERS;
        for (int64_t j = 0; j < k; j++)
            if (has(p->all[k].past, p->all[j].bit)) return MATTERS;
        return k;
    }
    int asked = 0;
    for (int64_t k = 0; k < p->count; k++) {
        if (dependent(x->e, x->b, event_number, p->all[k].event)) return MATTERS;
        asked = asked || both_arrive(x->e, event_number, p->all[k].event);
    }
    return !asked || commutes(x, base, event_number, taken, taken_count, p) ? NOT_THERE : MATTERS;
}

/* Whether a thread that sleeps could come first: that has been explored. */
int is_redundant(explorer *x, int64_t base, const plan *p) {
    int64_t end = base + 1 < x->level_count ? x->levels[base + 1].sleep : x->sleep_count;
    for (int64_t k = x->levels[base].sleep; k < end; k++)
        if (weak_initial(x, base, x->sleeping[k], p, NULL, 0) != MATTERS) return 1;
    return 0;
}

/* Adds what is new of a sequence; the sequence is used up. */
void tree_insert(explorer *x, int64_t base, plan *p) {
    int32_t above = x->levels[base].node;
    x->words.length = 0; /* events that have been taken on the way down */
    for (;;) {
        int32_t below = x->nodes[above].first;
        for (; below >= 0; below = x->nodes[below].next) {
            int64_t index = weak_initial(x, base, x->nodes[below].event, p,
                                         (const int32_t *)x->words.words, x->words.length);
            if (index == MATTERS) continue;
            if (index < 0 || p->count == 1 || x->nodes[below].first < 0) return;
            sequence_add(&x->words, x->b, (uint32_t)p->all[index].event);
            for (int64_t k = index; k + 1 < p->count; k++) p->all[k] = p->all[k + 1];
            p->count--;
            above = below;
            break;
        }
        if (below >= 0) continue;
        for (int64_t k = 0; k < p->count; k++) above = node_new(x, p->all[k].event, above);
        return;
    }
}
