/* The same as fair_parts in imc/program/parts.py: strongly connected parts in which every thread
 * that can move somewhere does move. */
#include "stategraph.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

void stategraph_add(stategraph *g, budget *b, graph_step step) {
    if (g->count == g->room) g->steps = grow(b, g->steps, &g->room, g->count + 1, sizeof *g->steps);
    g->steps[g->count++] = step;
}

void stategraph_free(stategraph *g) {
    free(g->steps);
    memset(g, 0, sizeof *g);
}

typedef struct {
    stategraph *g;
    int64_t *first;   /* of a state's steps in `steps` */
    uint32_t *steps;
    uint64_t *able;   /* threads that can move, by state */
    uint32_t *region; /* what is being looked at: the number of a part, 0 nothing */
    uint32_t *index, *low, *stack, *open;
    int64_t *next;
    uint8_t *is_open;
    uint32_t *part; /* nodes of parts still to be looked at, one part after the other */
    int64_t part_length, part_room;
    uint32_t regions;
} hunt;

static void sort_steps(hunt *h, int64_t states) {
    const stategraph *g = h->g;
    for (int64_t k = 0; k < g->count; k++) h->first[g->steps[k].source + 1]++;
    for (int64_t n = 0; n < states; n++) h->first[n + 1] += h->first[n];
    for (int64_t n = 0; n < states; n++) h->next[n] = h->first[n];
    for (int64_t k = 0; k < g->count; k++) {
        const graph_step *s = &g->steps[k];
        h->steps[h->next[s->source]++] = (uint32_t)k;
        h->able[s->source] |= 1ull << s->thread;
    }
}

static void add_node(hunt *h, budget *b, uint32_t node) {
    if (h->part_length == h->part_room)
        h->part = grow(b, h->part, &h->part_room, h->part_length + 1, sizeof *h->part);
    h->part[h->part_length++] = node;
}

static int is_inside(const hunt *h, uint32_t step, uint32_t region) {
    const graph_step *s = &h->g->steps[step];
    return !(s->flags & HAS_EFFECT) && h->region[s->target] == region;
}

/* ------------------------------------------------------------------------- rounds of one thread */

enum { MOST_MOVES = 100000 };

typedef struct {
    uint32_t before, after, flags;
} thread_move;

/* Whether some of a thread's moves make a circle: those without any of the flags. What leads to
 * where nothing goes on is taken away until nothing is left, or nothing changes. */
static int has_circle(budget *b, const thread_move *moves, int64_t count, uint32_t without) {
    table places = {0};
    int64_t room = 0, left = 0;
    uint32_t *onward = NULL;
    uint8_t *gone = take(b, count, 1);
    for (int64_t k = 0; k < count; k++) {
        uint32_t number = (uint32_t)table_number(&places, b, &moves[k].before, 1);
        if (number >= room) onward = grow(b, onward, &room, number + 1, sizeof *onward);
        gone[k] = (moves[k].flags & without) != 0;
        if (!gone[k]) {
            onward[number]++;
            left++;
        }
    }
    for (int changed = 1; changed && left;) {
        changed = 0;
        for (int64_t k = 0; k < count; k++) {
            if (gone[k]) continue;
            int64_t target = table_find(&places, &moves[k].after, 1);
            if (target >= 0 && onward[target]) continue;
            gone[k] = 1;
            onward[table_find(&places, &moves[k].before, 1)]--;
            left--;
            changed = 1;
        }
    }
    free(gone);
    free(onward);
    table_free(&places);
    return left > 0;
}

/* Whether a thread may go round in a part without effect, as far as its loops tell: a round of a
 * loop without an exit has one if anything is written in it. */
static int may_idle(hunt *h, budget *b, const uint32_t *nodes, int64_t count, uint32_t region,
                    int thread) {
    table known = {0};
    thread_move *moves = NULL;
    int64_t found = 0, room = 0;
    for (int64_t k = 0; k < count && found < MOST_MOVES; k++)
        for (int64_t at = h->first[nodes[k]]; at < h->first[nodes[k] + 1]; at++) {
            const graph_step *s = &h->g->steps[h->steps[at]];
            if (s->thread != thread || !is_inside(h, h->steps[at], region)) continue;
            thread_move move = {s->before, s->after, s->flags};
            if (table_number(&known, b, &move.before, 3) < found) continue;
            if (found == room) moves = grow(b, moves, &room, found + 1, sizeof *moves);
            moves[found++] = move;
        }
    int may = found >= MOST_MOVES || has_circle(b, moves, found, SERVES) ||
              has_circle(b, moves, found, WRITES);
    free(moves);
    table_free(&known);
    return may;
}

/* Steps of threads whose every round has an effect have one, in a part; whether there are any. */
static int give_up(hunt *h, budget *b, const uint32_t *nodes, int64_t count, uint32_t region,
                   uint64_t moving) {
    int found = 0;
    for (uint64_t threads = moving; threads; threads &= threads - 1) {
        int thread = __builtin_ctzll(threads);
        if (may_idle(h, b, nodes, count, region, thread)) continue;
        found = 1;
        for (int64_t k = 0; k < count; k++)
            for (int64_t at = h->first[nodes[k]]; at < h->first[nodes[k] + 1]; at++) {
                graph_step *s = &h->g->steps[h->steps[at]];
                if (s->thread == thread && h->region[s->target] == region) s->flags |= HAS_EFFECT;
            }
    }
    return found;
}

/* A component has been found: fair, hopeless, or to be looked at without some of its nodes. */
static int judge(hunt *h, budget *b, const uint32_t *nodes, int64_t count) {
    uint64_t moving = 0, can = 0;
    uint32_t mine = ++h->regions;
    for (int64_t k = 0; k < count; k++) h->region[nodes[k]] = mine;
    for (int64_t k = 0; k < count; k++) {
        can |= h->able[nodes[k]];
        for (int64_t at = h->first[nodes[k]]; at < h->first[nodes[k] + 1]; at++)
            if (is_inside(h, h->steps[at], mine))
                moving |= 1ull << h->g->steps[h->steps[at]].thread;
    }
    int64_t start = h->part_length;
    if (moving && !(can & ~moving)) {
        if (!give_up(h, b, nodes, count, mine, moving)) return 1;
        for (int64_t k = 0; k < count; k++) add_node(h, b, nodes[k]);
        add_node(h, b, (uint32_t)count);
        return 0;
    }
    for (int64_t k = 0; k < count; k++)
        if (!moving || h->able[nodes[k]] & can & ~moving) h->region[nodes[k]] = 0;
    if (!moving) return 0;
    for (int64_t k = 0; k < count; k++)
        if (h->region[nodes[k]] == mine) add_node(h, b, nodes[k]);
    if (h->part_length > start) add_node(h, b, (uint32_t)(h->part_length - start));
    return 0;
}

/* Tarjan's components of the nodes in a region, each judged; the size of the first fair one. */
static int64_t components(hunt *h, budget *b, const uint32_t *nodes, int64_t count,
                          uint32_t region) {
    uint32_t numbered = 0;
    int64_t depth = 0, opened = 0;
    for (int64_t k = 0; k < count; k++) h->index[nodes[k]] = 0;
    for (int64_t k = 0; k < count; k++) {
        if (h->index[nodes[k]] || h->region[nodes[k]] != region) continue;
        uint32_t root = nodes[k];
        h->index[root] = h->low[root] = ++numbered;
        h->open[opened++] = root;
        h->is_open[root] = 1;
        h->next[root] = h->first[root];
        h->stack[depth++] = root;
        while (depth) {
            uint32_t node = h->stack[depth - 1];
            if (h->next[node] < h->first[node + 1]) {
                uint32_t step = h->steps[h->next[node]++], after = h->g->steps[step].target;
                if (!is_inside(h, step, region)) continue;
                if (!h->index[after]) {
                    h->index[after] = h->low[after] = ++numbered;
                    h->open[opened++] = after;
                    h->is_open[after] = 1;
                    h->next[after] = h->first[after];
                    h->stack[depth++] = after;
                } else if (h->is_open[after] && h->index[after] < h->low[node]) {
                    h->low[node] = h->index[after];
                }
                continue;
            }
            depth--;
            if (depth) {
                uint32_t above = h->stack[depth - 1];
                if (h->low[node] < h->low[above]) h->low[above] = h->low[node];
            }
            if (h->low[node] != h->index[node]) continue;
            int64_t end = opened;
            do h->is_open[h->open[--opened]] = 0;
            while (h->open[opened] != node);
            if (judge(h, b, h->open + opened, end - opened)) return end - opened;
        }
    }
    return 0;
}

int64_t stategraph_fair_part(stategraph *g, budget *b, int64_t states, const uint8_t *is_void) {
    hunt h = {0};
    int64_t found = 0;
    h.g = g;
    h.first = take(b, states + 2, sizeof *h.first);
    h.steps = take(b, g->count, sizeof *h.steps);
    h.able = take(b, states + 1, sizeof *h.able);
    h.region = take(b, states + 1, sizeof *h.region);
    h.index = take(b, states + 1, sizeof *h.index);
    h.low = take(b, states + 1, sizeof *h.low);
    h.stack = take(b, states + 1, sizeof *h.stack);
    h.open = take(b, states + 1, sizeof *h.open);
    h.next = take(b, states + 1, sizeof *h.next);
    h.is_open = take(b, states + 1, 1);
    uint32_t *nodes = take(b, states + 1, sizeof *nodes);
    sort_steps(&h, states);
    for (int64_t n = 0; n < states; n++)
        if (!is_void[n]) add_node(&h, b, (uint32_t)n);
    if (h.part_length) add_node(&h, b, (uint32_t)h.part_length);
    while (h.part_length && !found) {
        int64_t count = h.part[--h.part_length];
        h.part_length -= count;
        memcpy(nodes, h.part + h.part_length, (size_t)count * sizeof *nodes);
        uint32_t region = ++h.regions;
        for (int64_t k = 0; k < count; k++) h.region[nodes[k]] = region;
        found = components(&h, b, nodes, count, region);
    }
    void *all[] = {h.first, h.steps, h.able, h.region, h.index, h.low, h.stack, h.open,
                   h.next, h.is_open, h.part, nodes};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    return found;
}
