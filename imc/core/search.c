#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 256, MOST_BOUNDS = 64 };
#define PAUSE_NS 50000000 /* between two calls of the callback */

_Noreturn void search_end(search *s, int end) {
    s->r.end = end;
    longjmp(s->out, 1);
}

static void look_at_clock(search *s) {
    struct timespec now;
    s->patience = LOOK_EVERY;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed = (now.tv_sec - s->last.tv_sec) * 1000000000ll + now.tv_nsec - s->last.tv_nsec;
    if (passed < PAUSE_NS) return;
    s->last = now;
    if (s->q.tick && s->q.tick(s->q.whom)) search_end(s, CORE_STOPPED);
}

void search_rest(search *s) {
    if (s->q.rest_at && s->r.work >= s->q.rest_at) search_end(s, CORE_RESTS);
}

void search_tick(search *s) {
    s->r.steps++;
    if (s->q.most_executions && s->r.complete + s->r.blocked >= s->q.most_executions)
        search_end(s, CORE_EXECUTIONS);
    if (s->q.most_states && s->r.states >= s->q.most_states) search_end(s, CORE_STATES_LIMIT);
    if (s->q.most_steps && s->r.steps >= s->q.most_steps) search_end(s, CORE_STEPS);
    if (--s->patience <= 0) look_at_clock(s);
}

void search_check(search *s, int result) {
    switch (result) {
    case CORE_NOT_COMPACT: search_end(s, CORE_REFUSED);
    case CORE_OUT_OF_SIGHT: search_end(s, CORE_UNSEEN);
    case CORE_OUT_OF_MEMORY: search_end(s, CORE_MEMORY);
    default: return;
    }
}

/* ------------------------------------------------------------------------------------------- ways */

static way *next_way(search *s, ways *w) {
    if (w->count == w->room) w->all = grow(s->b, w->all, &w->room, w->count + 1, sizeof *w->all);
    return &w->all[w->count++];
}

static int run(search *s, const way *w) {
    machine *m = s->m;
    s->r.work++;
    int result = w->thread < 0 ? machine_start(m, w->choices, w->count)
                               : machine_step(m, w->thread, w->choices, w->count);
    search_check(s, result);
    return result;
}

static int ways_behind(search *s, const way *given, ways *found) {
    machine *m = s->m;
    int64_t mark = m->log_length;
    int result = run(s, given);
    if (result == CORE_NEEDS_CHOICE) {
        int wanted = m->wanted, waits = 1;
        way further = *given;
        if (further.count == MOST_CHOICES) search_end(s, CORE_REFUSED);
        further.count++;
        for (int k = 0; k < wanted; k++) {
            further.choices[further.count - 1] = k;
            waits &= ways_behind(s, &further, found);
        }
        return waits;
    }
    if (result == CORE_BLOCKED) return 1;
    machine_undo(m, mark);
    *next_way(s, found) = *given;
    return 0;
}

int search_ways(search *s, int thread, ways *found) {
    int64_t before = found->count;
    way none = {0};
    none.thread = thread;
    int waits = ways_behind(s, &none, found);
    return waits && found->count == before ? -1 : 0;
}

/* Whether an operation may have to wait, or the environment may have a choice in it. */
static int is_tried(int64_t op) {
    switch (op) {
    case JOIN: case ATOMIC_BEGIN: case MUTEX_LOCK: case SPIN_LOCK: case COND_WAIT: case SEM_WAIT:
    case BARRIER_WAIT: case INPUT: case COND_SIGNAL: case VISIBLE_PERFORM:
        return 1;
    default:
        return 0;
    }
}

/* Whether a thread that stands at a join has to wait; most of the time it has. */
static int waits_for_end(const machine *m, int thread, const int64_t *i, obstacle *why) {
    value handle = registers_of(m, thread)[i[2]];
    if (i[0] != JOIN || handle.u || handle.v == 0 || handle.v > (uint64_t)m->threads) return 0;
    int other = (int)handle.v - 1;
    int64_t status = m->numbers[STATUS][other];
    if (other == thread || m->numbers[DETACHED][other] || m->numbers[JOINED][other]) return 0;
    if (status != RUNNING && status != STUCK) return 0;
    *why = (obstacle){FOR_END, 1, 0, 0, other};
    return 1;
}

void search_moves(search *s, ways *found) {
    machine *m = s->m;
    int running[MOST_THREADS], count = machine_running(m, running);
    s->blocked = 0;
    for (int k = 0; k < count; k++) {
        int t = running[k];
        const int64_t *i = record_of(m->f, m->numbers[PCS][t]);
        if (!is_tried(i[0])) {
            way *w = next_way(s, found);
            w->thread = t;
            w->count = 0;
        } else if (waits_for_end(m, t, i, &s->obstacles[t])) {
            s->blocked |= 1ull << t;
        } else if (search_ways(s, t, found) < 0) {
            s->blocked |= 1ull << t;
            s->obstacles[t] = m->blocked;
        }
    }
}

static void note_bound(search *s) {
    machine *m = s->m;
    uint32_t words[] = {(uint32_t)m->bound_key, (uint32_t)(m->bound_key >> 32)};
    if (s->bounds_count >= MOST_BOUNDS || table_find(&s->bound_keys, words, 2) >= 0) return;
    table_number(&s->bound_keys, s->b, words, 2);
    int64_t length = path_words(s, s->length, NULL, 0);
    if (s->bounds_length + length + 1 > s->bounds_room)
        s->bounds = grow(s->b, s->bounds, &s->bounds_room, s->bounds_length + length + 1,
                         sizeof *s->bounds);
    s->bounds[s->bounds_length] = length;
    path_words(s, s->length, s->bounds + s->bounds_length + 1, length);
    s->bounds_length += length + 1;
    s->bounds_count++;
}

void search_push(search *s, int32_t event) {
    if (s->length == s->path_room)
        s->path = grow(s->b, s->path, &s->path_room, s->length + 1, sizeof *s->path);
    s->path[s->length++] = event;
    if (s->m->bounded) note_bound(s);
}

static void run_through(search *s, const way *w, int *faulty) {
    int result = run(s, w);
    if (result == CORE_BLOCKED || result == CORE_NEEDS_CHOICE) search_end(s, CORE_REFUSED);
    *faulty = result == CORE_FAULTY;
}

int32_t search_pass(search *s, const way *w, int *faulty) {
    run_through(s, w, faulty);
    return event_of_choices(&s->e, s->m);
}

int32_t search_take(search *s, const way *w, int *faulty) {
    run_through(s, w, faulty);
    return event_of_step(&s->e, s->m, w->thread < 0);
}

int64_t path_words(search *s, int64_t length, int64_t *to, int64_t room) {
    int64_t count = 0;
    for (int64_t k = 0; k < length; k++) {
        const event *e = &s->e.all[s->path[k]];
        int64_t words = 2 + e->choice_count;
        if (count + words <= room) {
            to[count] = e->thread;
            to[count + 1] = e->choice_count;
            for (int n = 0; n < e->choice_count; n++)
                to[count + 2 + n] = s->e.choices[e->choices + n];
        }
        count += words;
    }
    return count;
}

/* ------------------------------------------------------------------------------------------- ends */

int waits_in_circle(const search *s) {
    for (int start = 0; start < MOST_THREADS; start++) {
        uint64_t path = 0;
        int at = start;
        while (at >= 0 && s->blocked >> at & 1 && !(path >> at & 1)) {
            path |= 1ull << at;
            at = s->obstacles[at].holder;
        }
        if (at >= 0 && path >> at & 1) return 1;
    }
    return 0;
}

int is_complete(const machine *m) {
    if (!m->words[EXIT_CODE][0].u) return 1;
    for (int t = 0; t < m->threads; t++)
        if (m->numbers[STATUS][t] != ABSENT && m->numbers[STATUS][t] != DONE) return 0;
    return 1;
}

int is_stopped(const search *s) {
    for (int t = 0; t < s->m->threads; t++) {
        if (s->m->numbers[STATUS][t] == STUCK) return 1;
        if (s->blocked >> t & 1 && (s->obstacles[t].what == FOR_ASSUMPTION ||
                                    s->obstacles[t].what == FOR_VALUE))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- the C interface */

void search_free(core *c) {
    search *s = c->s;
    if (s == NULL) return;
    if (s->free_own) s->free_own(s->own);
    keys_free(&s->k);
    events_free(&s->e);
    table_free(&s->bound_keys);
    free(s->bounds);
    free(s->path);
    free(s->words.words);
    free(s);
    c->s = NULL;
}

int64_t core_run(core *c, const core_request *q, core_result *r) {
    int begins = c->s == NULL;
    if (!begins && c->s->r.end != CORE_RESTS) return -1; /* a context serves one search */
    search *s = begins ? c->s = calloc(1, sizeof *s) : c->s;
    if (s == NULL) return -1;
    s->c = c;
    s->m = &c->m;
    s->b = &c->b;
    s->q = *q;
    c->b.limit = q->most_bytes;
    clock_gettime(CLOCK_MONOTONIC, &s->last);
    if (setjmp(c->b.exhausted)) {
        s->r.end = CORE_MEMORY;
    } else if (begins && keys_init(&s->k, s->m)) {
        s->r.end = CORE_MEMORY;
    } else if (setjmp(s->m->outside)) {
        s->r.end = CORE_REFUSED;
    } else if (!setjmp(s->out)) {
        if (q->algorithm == CORE_COUNT)
            count_executions(s);
        else if (q->algorithm == CORE_STATES)
            visit_states(s);
        else if (q->algorithm == CORE_EXECUTION_GRAPHS)
            explore_graphs(s);
        else
            explore(s);
        s->r.end = CORE_DONE;
    }
    core_progress(c, r);
    return s->r.end;
}

void core_progress(core *c, core_result *r) {
    c->s->r.bytes = c->b.used;
    if (c->s->estimate) c->s->estimate(c->s);
    c->s->r.final_states = c->s->k.finals.count;
    *r = c->s->r;
}

int64_t core_trace(core *c, int64_t *to, int64_t room) {
    return path_words(c->s, c->s->length, to, room);
}

int64_t core_bounds(core *c) { return c->s->bounds_count; }

int64_t core_bound(core *c, int64_t number, int64_t *to, int64_t room) {
    const int64_t *at = c->s->bounds;
    while (number--) at += *at + 1;
    for (int64_t k = 0; k < *at && k < room; k++) to[k] = at[1 + k];
    return *at;
}
