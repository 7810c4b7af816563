/* The log: what steps have changed, and the way back and forth again. */
#include "machine.h"

void log_more(machine *m) {
    m->log = grow(m->b, m->log, &m->log_room, m->log_length + 1, sizeof *m->log);
}

void machine_undo(machine *m, int64_t mark) {
    for (int64_t k = m->log_length - 1; k >= mark; k--) {
        const entry *e = &m->log[k];
        uint32_t part = e->part >> 1;
        if (part < FIRST_NUMBER)
            m->words[part][e->index] = (value){e->old, e->part & 1};
        else
            m->numbers[part][e->index] = (int64_t)e->old;
    }
    m->log_length = mark;
}

static void swap(machine *m, entry *e) {
    uint32_t part = e->part >> 1;
    if (part < FIRST_NUMBER) {
        value *at = &m->words[part][e->index], now = *at;
        *at = (value){e->old, e->part & 1};
        e->old = now.v;
        e->part = part * 2 + (now.u != 0);
    } else {
        int64_t *at = &m->numbers[part][e->index], now = *at;
        *at = (int64_t)e->old;
        e->old = (uint64_t)now;
    }
}

void machine_back(machine *m, int64_t from, int64_t to) {
    for (int64_t k = from - 1; k >= to; k--) swap(m, &m->log[k]);
}

void machine_forth(machine *m, int64_t from, int64_t to) {
    for (int64_t k = from; k < to; k++) swap(m, &m->log[k]);
}
