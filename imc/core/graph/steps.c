/* What a thread will do next, as far as the algorithm has to know it before; and, when it has been
 * done, whether that was all. */
#include "graph.h"

enum { MUTEX = 20, SPIN = 4, CONDITION = 16, SEMAPHORE = 4, BARRIER = 20 }; /* bytes of an event */

/* Places are told apart by object, offset and size: none may be a part of another one. */
static void refuse_overlaps(explored *x, const location *new) {
    for (const location *l = x->locations; l < new; l++)
        if (l->object == new->object && l->offset < new->offset + new->size &&
            new->offset < l->offset + l->size)
            not_in_graphs(x);
}

int32_t place_at(explored *x, uint32_t object, int64_t offset, int64_t size) {
    uint32_t words[] = {object, (uint32_t)offset, (uint32_t)(offset >> 32), (uint32_t)size};
    int64_t count = x->places.count;
    int64_t place = table_number(&x->places, x->b, words, 4);
    if (place == count) {
        if (place >= x->location_room)
            x->locations = grow(x->b, x->locations, &x->location_room, place + 1,
                                sizeof *x->locations);
        x->locations[place] = (location){object, offset, size};
        refuse_overlaps(x, &x->locations[place]);
    }
    return (int32_t)place;
}

/* An access by an address that is none goes wrong by itself. */
static next_step at_place(explored *x, int kind, value pointer, int64_t size) {
    next_step found = {BY_ITSELF, -1, 1, 0, -1};
    if (pointer.u || !is_object(x->m, object_of(pointer.v))) return found;
    found.kind = kind;
    found.place = place_at(x, (uint32_t)object_of(pointer.v), offset_of(pointer.v), size);
    return found;
}

static next_step at_object(explored *x, int kind, value pointer, int64_t size) {
    next_step found = at_place(x, kind, pointer, size);
    if (x->one_place && found.place >= 0) found.place = place_at(x, 0, 0, 0);
    return found;
}

/* Taking or giving back a lock: a step like others, or one that only looks whether there is a lock. */
static next_step at_lock(explored *x, int kind, value pointer, int64_t size) {
    return at_object(x, x->relaxes ? kind : READS, pointer, size);
}

static next_step at_join(explored *x, int thread, value handle, value result, int64_t size) {
    machine *m = x->m;
    next_step found = {BY_ITSELF, -1, 1, 0, -1};
    if (handle.u || handle.v == 0 || handle.v > (uint64_t)m->threads) return found;
    int other = (int)handle.v - 1;
    if (other == thread || m->numbers[STATUS][other] == ABSENT || m->numbers[JOINED][other])
        return found;
    found.joins = other;
    if (m->numbers[STATUS][other] != DONE) {
        found.live = 0;
        found.sleeps = m->numbers[STATUS][other] == RUNNING;
        return found;
    }
    if (result.u || result.v) {
        found = at_place(x, WRITES_PLACE, result, size);
        found.joins = other;
    }
    return found;
}

static int holds(const graph *g, int thread, int32_t place) {
    for (int32_t p = g->count - 1; p >= 0; p--)
        if (g->at[p].thread == thread && g->at[p].place == place) {
            if (g->at[p].kind == TAKES_LOCK) return 1;
            if (g->at[p].kind == GIVES_LOCK) return 0;
        }
    return 0;
}

next_step step_of(explored *x, const graph *g, int thread) {
    machine *m = x->m;
    next_step none = {BY_ITSELF, -1, 0, 0, -1}, local = {BY_ITSELF, -1, 1, 0, -1};
    if (m->numbers[STATUS][thread] != RUNNING) return none;
    int32_t last = graph_last(g, thread);
    if (last >= 0 && g->at[last].flags & (HANGS | FAILED | EXITS_ALL)) return none;
    const int64_t *i = record_of(m->f, m->numbers[PCS][thread]);
    const value *r = registers_of(m, thread);
    switch (i[0]) {
    case VISIBLE_LOAD: return at_place(x, READS, r[i[2]], i[4]);
    case VISIBLE_STORE: return at_place(x, WRITES_PLACE, r[i[2]], i[4]);
    case VISIBLE_UPDATE: return at_place(x, READS, r[i[2]], m->f->tables.at[i[4] + 1]);
    case VISIBLE_EXCHANGE: return at_place(x, READS, r[i[2]], m->f->tables.at[i[4] + 1]);
    case VISIBLE_RETURN: case VISIBLE_FREE: case THREAD_EXIT: case INPUT: case EXIT: case ABORT:
    case VISIBLE_PERFORM:
        return local;
    case SPAWN: return at_place(x, WRITES_PLACE, r[i[2]], 8);
    case JOIN: return at_join(x, thread, r[i[2]], r[i[3]], i[4]);
    case MUTEX_LOCK: case SPIN_LOCK: {
        next_step found =
            at_lock(x, TAKES_LOCK, r[i[2]], i[0] == MUTEX_LOCK ? MUTEX : SPIN);
        if (found.kind == TAKES_LOCK && holds(g, thread, found.place)) found.live = 0;
        return found;
    }
    case MUTEX_UNLOCK: return at_lock(x, GIVES_LOCK, r[i[2]], MUTEX);
    case SPIN_UNLOCK: return at_lock(x, GIVES_LOCK, r[i[2]], SPIN);
    case MUTEX_TRYLOCK: case MUTEX_DESTROY: return at_object(x, READS, r[i[2]], MUTEX);
    case SPIN_TRYLOCK: return at_object(x, READS, r[i[2]], SPIN);
    case MUTEX_INIT:
        return at_object(x, x->one_place ? READS : WRITES_PLACE, r[i[2]], MUTEX);
    case SPIN_INIT: return at_object(x, x->one_place ? READS : WRITES_PLACE, r[i[2]], SPIN);
    case COND_INIT: case COND_WAIT: case COND_SIGNAL: case COND_BROADCAST:
        return at_object(x, READS, r[i[2]], CONDITION);
    case SEM_INIT: case SEM_WAIT: case SEM_POST: return at_object(x, READS, r[i[2]], SEMAPHORE);
    case BARRIER_INIT: case BARRIER_WAIT: return at_object(x, READS, r[i[2]], BARRIER);
    case DESTROY: return at_object(x, READS, r[i[2]], i[3]);
    default:
        m->origin = m->numbers[PCS][thread];
        not_in_graphs(x);
    }
}

/* What the machine's last step has touched, against what was said of it. */
void touches(explored *x, node *n) {
    const machine *m = x->m;
    const location *l = n->place >= 0 ? &x->locations[n->place] : NULL;
    int64_t op = record_of(m->f, m->origin)[0];
    for (int k = 0; k < m->access_count; k++) {
        const access_t *a = &m->accesses[k];
        if (l != NULL && a->object == l->object && a->offset == l->offset && a->size == l->size)
            continue;
        n->flags |= LOOSE;
        if (op == VISIBLE_FREE || op == VISIBLE_RETURN || op == THREAD_EXIT)
            n->flags |= ENDS_OBJECTS;
    }
    if (n->flags & ENDS_OBJECTS && !m->exits && x->relaxes)
        cannot_be(x); /* whether it is used before or afterwards is for the locks to say */
    for (int k = 0; k < m->chosen; k++)
        if (m->used[k]) n->flags &= (uint8_t)~MAXIMAL;
    if (m->exits) n->flags |= EXITS_ALL;
    if (m->spawned_count) n->spawned = (int16_t)m->spawned[0];
    if (m->joined_count) n->joined = (int16_t)m->joined[0];
}
