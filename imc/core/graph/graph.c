/* Graphs: copies with one more event or without some, and what comes before what. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

graph *graph_new(explored *x, int32_t room) {
    int width = x->width;
    size_t clocks = (size_t)room * width * sizeof(uint16_t);
    size_t bytes = sizeof(graph) + (size_t)room * sizeof(node) + 2 * clocks;
    x->b->used += (int64_t)bytes;
    if (x->b->limit && x->b->used > x->b->limit) longjmp(x->b->exhausted, 1);
    graph *g = malloc(bytes);
    if (g == NULL) longjmp(x->b->exhausted, 1);
    *g = (graph){0, width, room, 0, NULL, NULL, NULL};
    g->at = (node *)(g + 1);
    g->porf = (uint16_t *)(g->at + room);
    g->before = g->porf + (size_t)room * width;
    return g;
}

void graph_free(explored *x, graph *g) {
    if (g == NULL) return;
    x->b->used -= (int64_t)(sizeof(graph) + (size_t)g->room * sizeof(node) +
                            2 * (size_t)g->room * g->width * sizeof(uint16_t));
    free(g);
}

/* The position of a thread's last event; -1: it has none. */
int32_t graph_last(const graph *g, int thread) {
    for (int32_t p = g->count - 1; p >= 0; p--)
        if (g->at[p].thread == thread) return p;
    return -1;
}

/* What comes before a thread's next event; `needed`: only what it cannot do without. */
const uint16_t *past_of(const graph *g, int thread, int needed) {
    static const uint16_t nothing[MOST_THREADS];
    int32_t p = graph_last(g, thread);
    for (int32_t k = 0; p < 0 && k < g->count; k++)
        if (g->at[k].spawned == thread) p = k;
    if (p < 0) return nothing;
    return needed ? porf_of(g, p) : before_of(g, p);
}

static void join(uint16_t *clock, const uint16_t *other, int width) {
    for (int t = 0; t < width; t++)
        if (clock[t] < other[t]) clock[t] = other[t];
}

static void make_room(explored *x, const graph *g) {
    int64_t places = x->places.count;
    if (places > x->place_room)
        x->last_write = grow(x->b, x->last_write, &x->place_room, places, sizeof *x->last_write);
    if (x->place_room * x->width > x->reader_room)
        x->readers = grow(x->b, x->readers, &x->reader_room, x->place_room * x->width,
                          sizeof *x->readers);
    if (g->count + 1 > x->stamp_room)
        x->by_stamp = grow(x->b, x->by_stamp, &x->stamp_room, g->count + 1, sizeof *x->by_stamp);
}

/* Clocks, from the sequence. */
void graph_order(explored *x, graph *g) {
    int width = g->width;
    size_t row = (size_t)width * sizeof(uint16_t);
    make_room(x, g);
    for (int t = 0; t < width; t++) x->last_of[t] = x->spawned_at[t] = -1;
    for (int32_t p = 0; p < g->count; p++)
        if (g->at[p].place >= 0) x->last_write[g->at[p].place] = -2;
    for (int32_t p = 0; p < g->count; p++) {
        node *n = &g->at[p];
        uint16_t *porf = g->porf + p * width, *before = g->before + p * width;
        int32_t behind = x->last_of[n->thread] >= 0 ? x->last_of[n->thread]
                                                     : x->spawned_at[n->thread];
        if (behind >= 0) {
            memcpy(porf, porf_of(g, behind), row);
            memcpy(before, before_of(g, behind), row);
        } else {
            memset(porf, 0, row);
            memset(before, 0, row);
        }
        if (n->joined >= 0 && x->last_of[n->joined] >= 0) {
            join(porf, porf_of(g, x->last_of[n->joined]), width);
            join(before, before_of(g, x->last_of[n->joined]), width);
        }
        if (n->place >= 0) {
            int32_t *last = &x->last_write[n->place];
            uint16_t *readers = x->readers + (int64_t)n->place * width;
            if (*last == -2) {
                *last = -1;
                memset(readers, 0, row);
            }
            if (*last >= 0) join(before, before_of(g, *last), width);
            if (n->kind == WRITES_PLACE) {
                join(before, readers, width);
                *last = p;
                memset(readers, 0, row);
            } else {
                int32_t source = *last < 0 ? -1 : g->at[*last].stamp;
                if (source != n->source) search_end(x->s, CORE_REFUSED); /* cannot be */
                if (*last >= 0) join(porf, porf_of(g, *last), width);
            }
        }
        porf[n->thread] = before[n->thread] = (uint16_t)(n->index + 1);
        if (n->place >= 0 && n->kind != WRITES_PLACE)
            join(x->readers + (int64_t)n->place * width, before, width);
        x->last_of[n->thread] = p;
        if (n->spawned >= 0) x->spawned_at[n->spawned] = p;
    }
}

void graph_stamps(explored *x, const graph *g) {
    make_room(x, g);
    for (int32_t p = 0; p < g->count; p++) x->by_stamp[g->at[p].stamp] = p;
}

graph *graph_with(explored *x, const graph *g, node added, int32_t before) {
    graph *made = x->made = graph_new(x, g->count + 1);
    int thread = before < 0 ? 0 : g->at[before].thread;
    int index = before < 0 ? 0 : g->at[before].index;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t p = 0; p < g->count; p++) {
            int is_late = (g->at[p].flags & EXITS_ALL) != 0 ||
                          (before >= 0 && before_of(g, p)[thread] > index);
            if (is_late == pass) made->at[made->count++] = g->at[p];
        }
        if (pass == 0) made->at[made->count++] = added;
    }
    made->broken = g->broken;
    graph_order(x, made);
    return made;
}
