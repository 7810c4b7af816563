/* Iterations that a thread could as well begin again, and be further on sooner: the restart test.
 * As imc/explorer/restarts.py. */
#include "explorer.h"

enum { MOST_RESTARTED = 20, NO_CELL = 0xffffffffu };

void cell_of_step(const machine *m, uint32_t *cell) {
    const access_t *a = m->accesses;
    if (m->access_count != 1 || a->mode > WRITE) {
        cell[0] = NO_CELL;
        cell[1] = cell[2] = cell[3] = 0;
        return;
    }
    cell[0] = a->object;
    cell[1] = (uint32_t)a->offset;
    cell[2] = (uint32_t)(a->offset >> 32);
    cell[3] = (uint32_t)a->size;
}

static int is_same(const uint32_t *one, const uint32_t *other) {
    for (int k = 0; k < CELL_WORDS; k++)
        if (one[k] != other[k]) return 0;
    return 1;
}

/* Whether the thread comes from one place to another, in so many steps that touch only a cell. */
static int leads(explorer *x, int thread, int64_t from, int64_t to, int steps,
                 const uint32_t *cell) {
    machine *m = x->m;
    int64_t mark = m->log_length;
    int found = 0;
    stand_again(&x->s->k, m, thread, from);
    while (steps-- && !found) {
        uint32_t touched[CELL_WORDS];
        int64_t before = m->log_length;
        x->s->r.work++;
        int result = machine_step(m, thread, NULL, 0);
        search_check(x->s, result);
        if (result != CORE_MOVED) break;
        cell_of_step(m, touched);
        if (!is_same(touched, cell) || !m->words[EXIT_CODE][0].u || has_effect(x, before)) break;
        if (m->numbers[STATUS][thread] != RUNNING) break;
        found = place_before(x, thread) == to;
    }
    machine_undo(m, mark);
    return found;
}

int leads_here(explorer *x, int thread, const uint32_t *cell, int64_t seen, int64_t place) {
    machine *m = x->m;
    int64_t at = m->at;
    if (!looks_ahead(m) || cell[0] == NO_CELL || m->chosen) return 0;
    for (int steps = 1; seen; steps++) {
        const uint32_t *link = x->seen.words + x->seen.starts[seen - 1];
        seen = link[LINK_BEFORE];
        if (!seen || !is_same(link + LINK_CELL, cell)) continue;
        int64_t from = x->seen.words[x->seen.starts[seen - 1] + LINK_PLACE];
        if (leads(x, thread, from, place, steps < MOST_RESTARTED ? steps : MOST_RESTARTED, cell)) {
            m->at = at;
            return 1;
        }
    }
    m->at = at;
    return 0;
}
