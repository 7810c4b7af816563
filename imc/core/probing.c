/* A thread's next step after some events and not others: in the state where it stood at that step,
 * with what it looks at as it would be; where that does not do, the events are run again. As
 * Execution.probe in imc/explorer/execution.py. */
#include <string.h>

#include "explorer.h"

enum { LARGEST_OBJECT = 64, MOST_PATCHED = 64 * 40 };

static void extent_of(const cell_access *a, int64_t *start, int64_t *end) {
    int64_t size = a->tells || a->size > LARGEST_OBJECT ? a->size : LARGEST_OBJECT;
    *start = a->offset;
    *end = a->offset + size;
}

int is_covered(const cell_access *a, const looked *l) {
    for (int64_t k = 0; k < l->count; k++) {
        int64_t start, end;
        extent_of(&l->all[k], &start, &end);
        if (l->all[k].object == a->object && start <= a->offset && a->offset + a->size <= end)
            return 1;
    }
    return 0;
}

static int writes(const explorer *x, int64_t position, const cell_access *range) {
    const event *e = event_at(x, position);
    for (int k = 0; k < e->access_count; k++) {
        const cell_access *a = &x->e->accesses[e->accesses + k];
        if (a->object == range->object && a->mode != READ &&
            a->offset < range->offset + range->size && range->offset < a->offset + a->size)
            return 1;
    }
    return 0;
}

/* After how many events a cell has the value it would have; -1 if it never had it. */
static int64_t last_write(explorer *x, int64_t base, const uint64_t *chosen,
                          const cell_access *range) {
    uint64_t *found = x->scratch[5];
    int64_t last = base;
    int left_out = 0;
    touching(x, range, 1, found);
    for (int64_t word = base >> 6; word < words_in_use(x); word++) {
        uint64_t bits = found[word];
        if (word == base >> 6) bits &= ~0ull << (base & 63);
        for (; bits; bits &= bits - 1) {
            int64_t position = word * 64 + __builtin_ctzll(bits);
            if (position >= x->count || !writes(x, position, range)) continue;
            if (!has(chosen, position))
                left_out = 1;
            else if (left_out)
                return -1;
            else
                last = position + 1;
        }
    }
    return last;
}

static int64_t mark_at(const explorer *x, int64_t position) {
    return position < x->count ? x->marks[position] : x->end_mark;
}

static void move(explorer *x, int64_t from, int64_t to) {
    if (to < from)
        machine_back(x->m, mark_at(x, from), mark_at(x, to));
    else
        machine_forth(x->m, mark_at(x, from), mark_at(x, to));
}

typedef struct {
    int64_t first, start, end, last; /* cells, and when they have their values */
    value *values;
} patch;

/* Where the bytes of a range lie now; 0 if the object is not there, or cut through a scalar. */
static int locate(const machine *m, const cell_access *range, patch *p) {
    if (range->object >= (uint64_t)m->objects || m->kinds[range->object] == KIND_LIBRARY ||
        m->kinds[range->object] == KIND_CONSTANT)
        return 0;
    int64_t limit = m->numbers[LIMITS][range->object], first = m->numbers[FIRST][range->object];
    int64_t end = range->offset + range->size < limit ? range->offset + range->size : limit;
    if (limit < 0 || range->offset < 0 || range->offset >= end) return 0;
    p->first = first;
    p->start = first + range->offset;
    p->end = first + end;
    return m->layout[p->start] != -1 && (end == limit || m->layout[p->end] != -1);
}

/* Whether the step could be tried so; what it came to is in `tried`. */
static int try_patched(explorer *x, int64_t base, const uint64_t *chosen, int thread,
                       int64_t before, const looked *l) {
    machine *m = x->m;
    patch patches[64];
    value values[MOST_PATCHED];
    int64_t used = 0, at = x->count;
    if (l->count > 64) return 0;
    x->end_mark = m->log_length;
    int fits = 1;
    for (int64_t k = 0; k < l->count && fits; k++) {
        int64_t start, end;
        extent_of(&l->all[k], &start, &end);
        cell_access range = l->all[k];
        range.offset = start;
        range.size = end - start;
        patch *p = &patches[k];
        int64_t last = last_write(x, base, chosen, &range);
        fits = last >= 0;
        if (!fits) break;
        move(x, at, last);
        at = last;
        fits = locate(m, &range, p) && used + p->end - p->start <= MOST_PATCHED;
        if (!fits) break;
        p->values = values + used;
        used += p->end - p->start;
        memcpy(p->values, m->words[CELLS] + p->start, (size_t)(p->end - p->start) * sizeof *values);
    }
    move(x, at, before);
    keep(m, STATIC_KEY, 0, (uint64_t)m->numbers[STATIC_KEY][0], 0);
    for (int64_t k = 0; k < l->count && fits; k++) {
        patch now;
        cell_access range = l->all[k];
        int64_t start, end;
        extent_of(&range, &start, &end);
        range.offset = start;
        range.size = end - start;
        fits = locate(m, &range, &now) && now.start == patches[k].start && now.end == patches[k].end;
        for (int64_t at_cell = now.start; fits && at_cell < now.end; at_cell++)
            patch_cell(m, at_cell, patches[k].values[at_cell - now.start]);
    }
    if (fits) {
        try_thread(x, thread, &x->tried);
        const outcomes *o = &x->tried;
        for (int64_t n = 0; n < o->count && fits; n++) {
            const event *e = &x->e->all[o->all[n]];
            for (int k = 0; k < e->access_count && fits; k++)
                fits = is_covered(&x->e->accesses[e->accesses + k], l);
        }
        for (int k = 0; o->waits && k < o->access_count && fits; k++)
            fits = is_covered(&o->accesses[k], l);
        if (o->waits && o->why.has_pointer && fits) {
            cell_access a = {(uint32_t)object_of(o->why.pointer), WRITE, 1, 0,
                             offset_of(o->why.pointer), 1};
            fits = is_covered(&a, l);
        }
    }
    machine_undo(m, x->end_mark);
    move(x, before, x->count);
    return fits;
}

void probe(explorer *x, int64_t base, const uint64_t *chosen, int thread, int64_t before,
           const looked *l) {
    if (try_patched(x, base, chosen, thread, before, l)) return;
    rerun(x, base, chosen);
    try_thread(x, thread, &x->tried);
    leave_again(x, base);
}
