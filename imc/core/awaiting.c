/* Loops that wait: threads that would only go round do not move. As imc/explorer/awaiting.py. */
#include <stdlib.h>

#include "explorer.h"

enum { LONGEST_ITERATION = 1000 };

int64_t place_before(explorer *x, int thread) { return place_of_thread(&x->s->k, x->m, thread); }

/* Whether a step leaves anything behind: memory that holds something else, a thread, an input. */
int has_effect(const explorer *x, int64_t mark) {
    const machine *m = x->m;
    if (m->spawned_count || m->joined_count || m->chosen || m->wakes) return 1;
    for (int64_t k = mark; k < m->log_length; k++) {
        const entry *e = &m->log[k];
        uint32_t part = e->part >> 1;
        if (part != CELLS && part != LIMITS) continue;
        int again = 0; /* what was there before the step is in the first of its entries */
        for (int64_t j = mark; j < k && !again; j++)
            again = m->log[j].part >> 1 == part && m->log[j].index == e->index;
        if (again) continue;
        if (part == LIMITS) {
            if ((int64_t)e->old == GONE || m->numbers[LIMITS][e->index] == GONE) return 1;
        } else {
            value now = m->words[CELLS][e->index];
            if ((e->part & 1) != (now.u != 0) || (!now.u && now.v != e->old)) return 1;
        }
    }
    return 0;
}

/* Places since the last effect are a chain, with what the step to each has touched; numbers are + 1,
 * so that 0 is none. */
static int64_t chained(explorer *x, int64_t before, int64_t place, const uint32_t *cell) {
    uint32_t link[LINK_CELL + CELL_WORDS] = {0};
    link[LINK_BEFORE] = (uint32_t)before;
    link[LINK_PLACE] = (uint32_t)place;
    for (int k = 0; cell != NULL && k < CELL_WORDS; k++) link[LINK_CELL + k] = cell[k];
    return table_number(&x->seen, x->b, link, LINK_CELL + CELL_WORDS) + 1;
}

int was_seen(const explorer *x, int64_t seen, int64_t place) {
    while (seen) {
        const uint32_t *link = x->seen.words + x->seen.starts[seen - 1];
        if (link[LINK_PLACE] == (uint32_t)place) return 1;
        seen = link[LINK_BEFORE];
    }
    return 0;
}

/* Whether a thread has been stopped by a failed assumption. */
static int is_refuted(const machine *m, int thread) {
    static const uint32_t reason = REFUTED;
    return m->numbers[STATUS][thread] == STUCK &&
           m->numbers[REASON][thread] == table_find(&m->reasons, &reason, 1) + 1;
}

/* Whether the step that has just been taken is a wait; a thread that has gone round in several
 * steps is stopped instead, where nothing is awaited. */
int goes_round(explorer *x, int64_t mark, int64_t old, int faulty) {
    machine *m = x->m;
    int thread = m->mover;
    if (faulty || !m->words[EXIT_CODE][0].u) return 0;
    if (is_refuted(m, thread)) return x->awaits && !has_effect(x, mark);
    if (m->numbers[STATUS][thread] != RUNNING) return 0;
    int64_t seen = m->numbers[SEEN][thread];
    if (!(m->f->notes.at[m->numbers[PCS][thread]] & IN_LOOP)) {
        if (seen) set(m, SEEN, thread, 0);
        return 0;
    }
    int effect = has_effect(x, mark);
    int64_t place = place_of_thread(&x->s->k, m, thread);
    if (effect) {
        set(m, SEEN, thread, chained(x, 0, place, NULL));
        return 0;
    }
    uint32_t cell[CELL_WORDS];
    cell_of_step(m, cell);
    if (!seen) seen = chained(x, 0, old, NULL);
    int idle = place == old ||
               (x->pure &&
                (was_seen(x, seen, place) || leads_here(x, thread, cell, seen, place) ||
                 comes_back(x, thread, place, seen)));
    if (!idle) {
        set(m, SEEN, thread, chained(x, seen, place, cell));
        return 0;
    }
    if (x->awaits) return 1;
    set(m, STATUS, thread, STUCK);
    set(m, REASON, thread, PURE_REASON);
    set(m, KEY, thread, 0);
    return 0;
}

/* -------------------------------------------------------------------------------------- livelocks */

typedef struct {
    way steps[LONGEST_ITERATION];
    int64_t count, round; /* where the round begins; all of them: it comes to where it waits */
} idle_way;

/* What a thread, left alone, does before it goes round in this state; 0: it has an effect. */
static int follow(explorer *x, int thread, idle_way *w) {
    machine *m = x->m;
    int64_t places[LONGEST_ITERATION + 1], mark = m->log_length;
    int found = 0;
    if (m->numbers[STATUS][thread] == STUCK) {
        set(m, STATUS, thread, RUNNING);
        set(m, REASON, thread, 0);
        set(m, KEY, thread, 0);
    }
    places[0] = place_before(x, thread);
    for (w->count = 0; w->count < LONGEST_ITERATION && !found;) {
        int64_t before = m->log_length;
        int result = machine_step(m, thread, NULL, 0);
        search_check(x->s, result);
        if (result == CORE_BLOCKED) {
            w->round = w->count;
            found = 1;
            break;
        }
        if (result != CORE_MOVED || has_effect(x, before)) break;
        w->steps[w->count] = (way){.thread = thread, .count = 0};
        w->count++;
        if (m->numbers[STATUS][thread] != RUNNING || !m->words[EXIT_CODE][0].u) break;
        int64_t place = place_before(x, thread);
        for (int64_t k = 0; k < w->count && !found; k++)
            if (places[k] == place) {
                w->round = k;
                found = 1;
            }
        places[w->count] = place;
    }
    machine_undo(m, mark);
    return found;
}

/* Whether all who are left would only go round: those who ask are told how, and say. */
void look_for_livelock(explorer *x) {
    machine *m = x->m;
    search *s = x->s;
    uint64_t idle = 0;
    if (x->late || !x->awaiting || !s->q.livelock || !(m->f->checked & LIVELOCK)) return;
    for (int t = 0; t < m->threads; t++) {
        if (m->numbers[STATUS][t] != STUCK) continue;
        if (m->numbers[REASON][t] != PURE_REASON) return;
        idle |= 1ull << t;
    }
    for (int k = 0; k < x->blocked_count; k++)
        if (x->at_end[x->blocked_order[k]].why.what == FOR_VALUE)
            idle |= 1ull << x->blocked_order[k];
    if (!idle) return;
    int64_t length = path_words(s, s->length, NULL, 0), rounds = 0;
    int64_t room = length + 2 * MOST_THREADS * LONGEST_ITERATION;
    int64_t *words = take(x->b, room, sizeof *words);
    path_words(s, s->length, words, length);
    idle_way *w = take(x->b, MOST_THREADS, sizeof *w);
    int all = 1;
    for (int t = 0; t < m->threads && all; t++)
        if (idle >> t & 1) all = follow(x, t, &w[t]);
    for (int part = 0; part < 2 && all; part++) /* first the ways there, then the rounds */
        for (int t = 0; t < m->threads; t++) {
            if (!(idle >> t & 1)) continue;
            for (int64_t k = part ? w[t].round : 0; k < (part ? w[t].count : w[t].round); k++) {
                words[length++] = t;
                words[length++] = 0;
                rounds += part;
            }
        }
    int answer = all ? s->q.livelock(s->q.whom, words, length, rounds) : 0;
    free(words);
    free(w);
    if (answer == 2) search_end(s, CORE_STOPPED);
    x->late = answer == 1;
}
