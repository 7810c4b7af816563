#include "traces.h"

#include <stdlib.h>
#include <string.h>

void traces_shorten(traces *t, int64_t length) {
    if (t->stamped > length) t->stamped = length;
}

static void stamp(traces *t, search *s, int64_t position) {
    events *e = &s->e;
    int32_t me = s->path[position];
    if ((position + 1) * MOST_THREADS > t->clock_room)
        t->clocks = grow(s->b, t->clocks, &t->clock_room, (position + 1) * MOST_THREADS,
                         sizeof *t->clocks);
    if (position >= t->number_room)
        t->numbers = grow(s->b, t->numbers, &t->number_room, position + 1, sizeof *t->numbers);
    int32_t *clock = t->clocks + position * MOST_THREADS;
    int threads = (int)s->m->threads;
    memset(clock, 0, MOST_THREADS * sizeof *clock);
    for (int64_t k = position - 1; k >= 0; k--) {
        const event *earlier = &e->all[s->path[k]];
        if (clock[earlier->thread] > earlier->index) continue; /* known to come before */
        if (!dependent(e, s->b, s->path[k], me)) continue;
        const int32_t *theirs = t->clocks + k * MOST_THREADS;
        for (int n = 0; n < threads; n++)
            if (clock[n] < theirs[n]) clock[n] = theirs[n];
    }
    const event *mine = &e->all[me];
    clock[mine->thread] = mine->index + 1;
    sequence *w = &t->words;
    w->length = 0;
    sequence_add(w, s->b, (uint32_t)mine->thread);
    sequence_add(w, s->b, (uint32_t)mine->index);
    sequence_add(w, s->b, (uint32_t)mine->choice_count);
    for (int k = 0; k < mine->choice_count; k++)
        sequence_add(w, s->b, (uint32_t)e->choices[mine->choices + k]);
    for (int n = 0; n < threads; n++) {
        if (!clock[n]) continue;
        sequence_add(w, s->b, (uint32_t)n);
        sequence_add(w, s->b, (uint32_t)clock[n]);
    }
    t->numbers[position] = (uint32_t)table_number(&t->stamps, s->b, w->words, w->length);
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int64_t trace_number(traces *t, search *s) {
    for (; t->stamped < s->length; t->stamped++) stamp(t, s, t->stamped);
    sequence *w = &t->words;
    w->length = 0;
    for (int64_t k = 0; k < s->length; k++) sequence_add(w, s->b, t->numbers[k]);
    qsort(w->words, (size_t)w->length, sizeof *w->words, ascending);
    return table_number(&t->known, s->b, w->words, w->length);
}

void traces_free(traces *t) {
    table_free(&t->stamps);
    table_free(&t->known);
    free(t->clocks);
    free(t->numbers);
    free(t->words.words);
    memset(t, 0, sizeof *t);
}
