/* What the reducing searches share: depth-first over executions, with sleep sets. Optimal keeps
 * what is to be explored in wakeup trees, source only with which event a reversal can begin. As
 * imc/explorer/dpor.py, optimal.py and source.py. */
#include <stdlib.h>
#include <string.h>

#include "explorer.h"

enum { LOOKED_AT = 200 }; /* events, from which on states that come again are watched for */

/* ----------------------------------------------------------------------- what is to be explored */

static int32_t first_branch(const explorer *x, const level *l) { return x->nodes[l->node].first; }

static int is_same_step(const explorer *x, int32_t one, int32_t other) {
    return x->e->all[one].thread == x->e->all[other].thread && same_choices(x->e, one, other);
}

static int64_t sleep_end(const explorer *x, int64_t number) {
    return number + 1 < x->level_count ? x->levels[number + 1].sleep : x->sleep_count;
}

static int sleeps(const explorer *x, int64_t number, int32_t event_number) {
    for (int64_t k = x->levels[number].sleep; k < sleep_end(x, number); k++)
        if (is_same_step(x, x->sleeping[k], event_number)) return 1;
    return 0;
}

/* Events of the plan that could be the first ones: whether one of them is explored anyway. */
static void add_initial(explorer *x, int64_t base) {
    const plan *p = &x->sequence;
    int32_t first = -1;
    for (int64_t k = 0; k < p->count; k++) {
        int initial = 1;
        for (int64_t j = 0; j < k && initial; j++)
            initial = !has(p->all[k].past, p->all[j].bit);
        if (!initial) continue;
        if (first < 0) first = p->all[k].event;
        if (sleeps(x, base, p->all[k].event)) return;
        for (int32_t b = first_branch(x, &x->levels[base]); b >= 0; b = x->nodes[b].next)
            if (is_same_step(x, x->nodes[b].event, p->all[k].event)) return;
    }
    node_new(x, first, x->levels[base].node);
}

void reversal_found(explorer *x, int64_t base) {
    x->s->r.race_checks++;
    if (!x->optimal)
        add_initial(x, base);
    else if (!is_redundant(x, base, &x->sequence))
        tree_insert(x, base, &x->sequence);
}

/* ------------------------------------------------------------------------------------------- ends */

static void note_obstacles(explorer *x) {
    x->s->blocked = 0;
    for (int k = 0; k < x->blocked_count; k++) {
        int t = x->blocked_order[k];
        x->s->blocked |= 1ull << t;
        x->s->obstacles[t] = x->at_end[t].why;
    }
}

static void keep_obstacle(explorer *x, int thread, const outcomes *o) {
    outcomes *to = &x->at_end[thread];
    to->why = o->why;
    to->access_count = o->access_count;
    memcpy(to->accesses, o->accesses, (size_t)o->access_count * sizeof *o->accesses);
    x->blocked_order[x->blocked_count++] = thread;
}

/* Threads that could not move when the program ended as a whole. */
static void blocked_at_exit(explorer *x) {
    int running[MOST_THREADS], exiting = event_at(x, x->count - 1)->thread;
    x->blocked_count = 0;
    go_back(x, x->count - 1);
    int count = machine_running(x->m, running);
    for (int k = 0; k < count; k++) {
        if (running[k] == exiting) continue;
        try_thread(x, running[k], &x->tried);
        if (x->tried.waits) keep_obstacle(x, running[k], &x->tried);
    }
    go_on_again(x, x->count - 1);
}

static void ended(explorer *x) {
    search *s = x->s;
    int exited = !x->m->words[EXIT_CODE][0].u;
    if (exited && x->count) blocked_at_exit(x);
    note_obstacles(x);
    if (s->m->f->checked & DEADLOCK && waits_in_circle(s)) {
        if (exited) s->length--;
        search_end(s, CORE_DEADLOCK);
    }
    if (is_complete(x->m)) {
        s->r.complete++;
        final_number(&s->k, x->m, 1);
    } else if (is_stopped(s) || !(s->m->f->checked & DEADLOCK)) {
        s->r.blocked++;
        look_for_livelock(x);
    } else {
        search_end(s, CORE_DEADLOCK);
    }
    if (s->q.flags & CORE_TRACES) {
        int64_t known = x->t.known.count;
        traces_shorten(&x->t, 0);
        s->r.duplicates += trace_number(&x->t, s) < known;
        s->r.traces = x->t.known.count;
    }
    reversals(x);
}

/* ------------------------------------------------------------------------------------- the search */

static void new_level(explorer *x, int32_t node, int64_t sleep) {
    if (x->level_count == x->level_room)
        x->levels = grow(x->b, x->levels, &x->level_room, x->level_count + 1, sizeof *x->levels);
    x->levels[x->level_count++] = (level){sleep, node, 0, 0, 0, -1};
}

static void fall_asleep(explorer *x, int32_t event_number) {
    if (x->sleep_count == x->sleep_room)
        x->sleeping = grow(x->b, x->sleeping, &x->sleep_room, x->sleep_count + 1,
                           sizeof *x->sleeping);
    x->sleeping[x->sleep_count++] = event_number;
}

/* The running threads, the one that has moved last first. */
static void find_order(explorer *x) {
    x->order_count = machine_running(x->m, x->order);
    if (!x->count) return;
    int last = event_at(x, x->count - 1)->thread;
    for (int k = 1; k < x->order_count; k++)
        if (x->order[k] == last) {
            memmove(x->order + 1, x->order, (size_t)k * sizeof *x->order);
            x->order[0] = last;
            return;
        }
}

/* Any thread that can move, awake; at the end of an execution there is none. */
static int choose_branch(explorer *x) {
    int64_t here = x->level_count - 1;
    int able = 0;
    find_order(x);
    x->blocked_count = 0;
    for (int n = 0; n < x->order_count; n++) {
        try_thread(x, x->order[n], &x->now);
        if (x->now.waits) {
            keep_obstacle(x, x->order[n], &x->now);
            continue;
        }
        able = 1;
        int found = 0;
        for (int64_t k = 0; k < x->now.count; k++) {
            if (sleeps(x, here, x->now.all[k])) continue;
            node_new(x, x->now.all[k], x->levels[here].node);
            found = 1;
        }
        if (found) return 1;
    }
    if (!able) {
        ended(x);
    } else {
        x->s->r.redundant++;
        if (!x->optimal) reversals(x);
    }
    return 0;
}

/* Leaves the last level; what led to it sleeps from now on. */
static void back(explorer *x) {
    level left = x->levels[--x->level_count];
    if (left.state >= 0) x->on_path[left.state] = 0;
    x->sleep_count = left.sleep;
    level *l = x->level_count ? &x->levels[x->level_count - 1] : &x->root;
    l->done++;
    l->executions += left.executions > 1 ? left.executions : 1;
    branch *above = &x->nodes[l->node];
    int32_t explored = above->first;
    above->first = x->nodes[explored].next;
    if (above->first < 0) above->last = -1;
    node_free(x, explored);
    if (l == &x->root) return;
    int32_t event_number = x->events[x->count - 1];
    machine_undo(x->m, x->marks[x->count - 1]);
    execution_pop(x);
    x->s->length--;
    if (!sleeps(x, x->level_count - 1, event_number)) fall_asleep(x, event_number);
}

static void watch(explorer *x) {
    search *s = x->s;
    int64_t state = state_number(&s->k, x->m);
    if (state >= x->on_path_room)
        x->on_path = grow(x->b, x->on_path, &x->on_path_room, state + 1, 1);
    if (x->on_path[state]) search_end(s, CORE_ENDLESS);
    x->on_path[state] = 1;
    x->levels[x->level_count - 1].state = state;
}

/* About how many executions there are for one that has been explored: see levels.py. */
static void estimate(search *s) {
    explorer *x = s->own;
    double expected = 1, done = (double)x->root.executions;
    for (int64_t n = x->level_count - 1; n >= -1; n--) {
        const level *l = n < 0 ? &x->root : &x->levels[n];
        if (n >= 0) done += (double)l->executions;
        int64_t branches = 0;
        for (int32_t b = first_branch(x, l); b >= 0; b = x->nodes[b].next) branches++;
        if (!branches) continue;
        double known = (double)l->executions + expected;
        expected = known + (double)(branches - 1) * known / (double)(l->done + 1);
    }
    double ratio = done > 0 ? expected / done * 1000 : 0;
    s->r.expected_millis = ratio > 9e15 ? (int64_t)9e15 : (int64_t)ratio;
}

/* Takes the step of the first branch. */
static void follow_branch(explorer *x, int32_t node) {
    search *s = x->s;
    machine *m = x->m;
    const event *planned_event = &x->e->all[x->nodes[node].event];
    way w = {.thread = planned_event->thread, .count = planned_event->choice_count};
    for (int k = 0; k < w.count; k++) w.choices[k] = x->e->choices[planned_event->choices + k];
    int64_t here = x->level_count - 1, mark = m->log_length;
    int faulty;
    if (m->numbers[STATUS][w.thread] != RUNNING) search_end(s, CORE_REFUSED);
    int64_t old = x->awaiting ? place_before(x, w.thread) : 0;
    int32_t taken = search_take(s, &w, &faulty);
    int bounded = m->bounded;
    if (x->awaiting && goes_round(x, mark, old, faulty)) search_end(s, CORE_REFUSED);
    int64_t sleep = x->sleep_count, from = x->levels[here].sleep, to = sleep;
    for (int64_t k = from; k < to; k++) {
        int32_t other = x->sleeping[k];
        if (x->e->all[other].thread == w.thread || dependent(x->e, x->b, other, taken)) continue;
        if (both_arrive(x->e, other, taken)) {
            x->end_mark = m->log_length;
            if (!same_after(x, other)) continue;
        }
        fall_asleep(x, other);
    }
    execution_push(x, taken, mark);
    m->bounded = bounded;
    search_push(s, taken);
    s->r.events++;
    new_level(x, node, sleep);
    if (faulty) search_end(s, CORE_FAULT);
    if (x->level_count > LOOKED_AT) watch(x);
}

static void explore_further(explorer *x) {
    while (x->level_count) {
        level *l = &x->levels[x->level_count - 1];
        search_rest(x->s);
        if (!l->begun) {
            l->begun = 1;
            if (first_branch(x, l) < 0 && !choose_branch(x)) {
                back(x);
                continue;
            }
            l = &x->levels[x->level_count - 1];
        }
        int32_t node = first_branch(x, l);
        if (node < 0) {
            back(x);
            continue;
        }
        search_tick(x->s);
        if (sleeps(x, x->level_count - 1, x->nodes[node].event)) {
            branch *above = &x->nodes[l->node];
            above->first = x->nodes[node].next;
            if (above->first < 0) above->last = -1;
            node_free(x, node);
            x->s->r.redundant++;
            continue;
        }
        follow_branch(x, node);
    }
}

static void explorer_free(void *it) {
    explorer *x = it;
    void *all[] = {x->events, x->marks, x->past, x->own, x->previous, x->race_starts, x->races,
                   x->touches, x->heads, x->none, x->levels, x->sleeping, x->nodes, x->on_path,
                   x->sequence.all, x->now.all, x->tried.all, x->ways.all, x->starts.all,
                   x->words.words, x->choices};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    for (size_t k = 0; k < sizeof x->scratch / sizeof *x->scratch; k++) free(x->scratch[k]);
    table_free(&x->seen);
    table_free(&x->answers);
    traces_free(&x->t);
    free(x);
}

static explorer *explorer_new(search *s) {
    explorer *x = take(s->b, 1, sizeof *x);
    s->own = x;
    s->free_own = explorer_free;
    s->estimate = estimate;
    x->s = s;
    x->m = s->m;
    x->e = &s->e;
    x->b = s->b;
    x->free_node = -1;
    x->optimal = s->q.algorithm != CORE_SOURCE;
    x->pure = (s->q.flags & CORE_PURE) != 0;
    x->awaits = (s->q.flags & CORE_AWAITS) != 0;
    x->awaiting = s->q.algorithm == CORE_AWAIT && (x->pure || x->awaits);
    if (!x->awaiting) x->pure = x->awaits = 0;
    x->heads = take(s->b, MOST_OBJECTS, sizeof *x->heads);
    for (int t = 0; t < MOST_THREADS; t++) x->last_of[t] = x->spawned_at[t] = -1;
    execution_widen(x);
    x->root.node = node_new(x, -1, -1);
    return x;
}

static void start(explorer *x) {
    search *s = x->s;
    int faulty;
    s->length = 0;
    x->start_mark = s->m->log_length;
    search_push(s, search_take(s, &x->starts.all[x->next_start++], &faulty));
    if (faulty) search_end(s, CORE_FAULT);
    new_level(x, first_branch(x, &x->root), x->sleep_count);
}

void explore(search *s) {
    explorer *x = s->own;
    if (x == NULL) {
        x = explorer_new(s);
        search_ways(s, -1, &x->starts);
        for (int64_t k = 0; k < x->starts.count; k++) node_new(x, -1, x->root.node);
    }
    for (;;) {
        explore_further(x);
        machine_undo(s->m, x->start_mark);
        if (x->next_start == x->starts.count) break;
        start(x);
    }
}
