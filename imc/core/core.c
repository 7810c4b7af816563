/* The C interface: contexts, and the machine by itself. The searches are in search.c. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "search.h"

int64_t core_version(void) { return CORE_VERSION; }

core *core_new(const core_form *from) {
    core *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    if (form_load(&c->f, from) || machine_init(&c->m, &c->f)) {
        core_free(c);
        return NULL;
    }
    c->m.b = &c->b;
    return c;
}

void core_free(core *c) {
    if (c == NULL) return;
    search_free(c);
    keys_free(&c->k);
    machine_free(&c->m);
    form_free(&c->f);
    free(c);
}

int64_t core_start(core *c, const int64_t *choices, int64_t count) {
    if (setjmp(c->b.exhausted)) return CORE_OUT_OF_MEMORY;
    return machine_start(&c->m, choices, (int)count);
}

int64_t core_step(core *c, int64_t thread, const int64_t *choices, int64_t count) {
    if (setjmp(c->b.exhausted)) return CORE_OUT_OF_MEMORY;
    return machine_step(&c->m, (int)thread, choices, (int)count);
}

int64_t core_mark(core *c) { return c->m.log_length; }
void core_undo(core *c, int64_t mark) { machine_undo(&c->m, mark); }

int64_t core_running(core *c, int64_t *threads) {
    int found[MOST_THREADS], count = machine_running(&c->m, found);
    for (int k = 0; k < count; k++) threads[k] = found[k];
    return count;
}

int64_t core_parent(core *c, int64_t thread, int64_t *nth) {
    const table *t = &c->m.children;
    if (thread < 1 || thread > t->count) return -1;
    const uint32_t *identity = t->words + t->starts[thread - 1];
    *nth = identity[1];
    return identity[0];
}

int64_t core_state(core *c) {
    if (setjmp(c->b.exhausted)) return -1;
    if (c->k.names == NULL && keys_init(&c->k, &c->m)) return -1;
    if (setjmp(c->m.outside)) return -1;
    return state_number(&c->k, &c->m);
}

int64_t core_host(core *c, core_ask *ask, void *whom) { return host_set(&c->m, ask, whom); }
int64_t core_object(core *c, int64_t number, int64_t *to, int64_t room) {
    return host_object(&c->m, number, to, room);
}
int64_t core_layout(core *c, int64_t number, int64_t size, int64_t *to, int64_t room) {
    return host_layout(&c->m, number, size, to, room);
}
int64_t core_identity(core *c, int64_t number, int64_t *to, int64_t room) {
    return host_identity(&c->m, number, to, room);
}
int64_t core_objects(core *c) { return c->m.objects; }
int64_t core_threads(core *c, int64_t *to, int64_t room) { return host_threads(&c->m, to, room); }
int64_t core_frames(core *c, int64_t thread, int64_t *to, int64_t room) {
    return thread >= 0 && thread < c->m.threads ? host_frames(&c->m, (int)thread, to, room) : 0;
}
int64_t core_output(core *c) { return (int64_t)c->m.words[CELLS][OUTPUT_CELL(&c->m)].v; }

int64_t core_refusal(core *c, int64_t *pc) {
    *pc = c->m.refused_at;
    return c->m.refused;
}

/* Numbers go to `to` as long as there is room. */
typedef struct {
    int64_t *to, room, count;
} writer;

static void tell(writer *w, int64_t number) {
    if (w->count < w->room) w->to[w->count] = number;
    w->count++;
}

static void tell_some(writer *w, const int *numbers, int count) {
    tell(w, count);
    for (int k = 0; k < count; k++) tell(w, numbers[k]);
}

int64_t core_event(core *c, int64_t *to, int64_t room) {
    const machine *m = &c->m;
    writer w = {to, room, 0};
    int64_t facts[] = {m->mover, m->origin, m->at, m->fault, m->fault_thread, m->tries, m->wakes,
                       m->exits, m->note, m->noted, m->wanted, m->blocked.what, m->blocked.stable,
                       m->blocked.has_pointer, (int64_t)m->blocked.pointer, m->blocked.holder};
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) tell(&w, facts[k]);
    tell(&w, m->chosen);
    for (int k = 0; k < m->chosen; k++) tell(&w, m->used[k]);
    tell_some(&w, m->spawned, m->spawned_count);
    tell_some(&w, m->joined, m->joined_count);
    tell(&w, m->acquired_count);
    for (int k = 0; k < m->acquired_count; k++) tell(&w, (int64_t)m->acquired[k]);
    tell(&w, m->access_count);
    for (int k = 0; k < m->access_count; k++) {
        const access_t *a = &m->accesses[k];
        tell(&w, a->mode);
        tell(&w, a->object);
        tell(&w, a->offset);
        tell(&w, a->size);
        tell(&w, a->atomic);
        tell(&w, a->tells ? a->held.u ? 1 : 2 : 0);
        tell(&w, (int64_t)a->held.v);
    }
    return w.count;
}

int64_t core_part(core *c, int64_t part, int64_t *to, int64_t *defined, int64_t room) {
    const machine *m = &c->m;
    if (part < 0 || part >= PARTS) return 0;
    int64_t count = part == CELLS       ? m->cells
                    : part == REGISTERS ? m->threads * m->f->registers.length
                    : part == EXIT_CODE ? 1
                    : part == RESULTS || part >= FIRST_OF_THREAD ? m->threads
                                                                 : m->objects;
    for (int64_t k = 0; k < count && k < room; k++) {
        to[k] = part < FIRST_NUMBER ? (int64_t)m->words[part][k].v : m->numbers[part][k];
        defined[k] = part < FIRST_NUMBER ? !m->words[part][k].u : 1;
    }
    return count;
}
