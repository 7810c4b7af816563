/* Accesses that do not match the scalars which memory is cut into; as imc/compact/pieces.py. */
#include "machine.h"

enum { LARGEST = 8 };

static int like_address(uint64_t v) {
    uint64_t high = v >> SHIFT;
    return high > 0 && high < MOST_OBJECTS;
}

/* Bytes that no scalar is known of become scalars, as large as they can be. */
void cut(machine *m, int64_t at, int64_t size) {
    for (int64_t k = at; k < at + size;) {
        if (m->layout[k]) {
            k++;
            continue;
        }
        int64_t end = k, piece = LARGEST;
        while (end < at + size && !m->layout[end]) end++;
        while (piece > end - k || (k - at) % piece) piece /= 2;
        discover(m, k, piece);
        k += piece;
    }
}

/* The first scalar that an access touches. */
static int64_t first_piece(machine *m, int64_t at, int64_t size) {
    if (size > LARGEST) refuse(m, SEVERAL_CUTS);
    cut(m, at, size);
    while (m->layout[at] == -1) at--;
    return at;
}

/* Which bytes of the scalar at a cell an access touches. */
typedef struct {
    int64_t low, high, whole;
} piece;

static piece piece_of(machine *m, int64_t cell, int64_t at, int64_t size) {
    int64_t whole = m->layout[cell], end = cell + whole;
    if (whole > LARGEST) refuse(m, SEVERAL_CUTS);
    return (piece){cell > at ? cell : at, end < at + size ? end : at + size, whole};
}

value read_pieces(machine *m, int64_t at, int64_t size) {
    uint64_t found = 0;
    int64_t unknown = 0;
    for (int64_t cell = first_piece(m, at, size); cell < at + size; cell += m->layout[cell]) {
        piece p = piece_of(m, cell, at, size);
        value held = m->words[CELLS][cell];
        if (held.u) {
            unknown += p.high - p.low;
            continue;
        }
        if (like_address(held.v)) refuse(m, SEVERAL_CUTS);
        uint64_t part = held.v >> 8 * (p.low - cell) & mask_of((int)(8 * (p.high - p.low)));
        found |= part << 8 * (p.low - at);
    }
    if (unknown) {
        if (unknown < size) refuse(m, PARTLY_UNDEFINED);
        return UNDEFINED;
    }
    number_is_no_address(m, found);
    return NUMBER(found);
}

void write_pieces(machine *m, int64_t at, int64_t size, value now) {
    if (!now.u && like_address(now.v)) refuse(m, SEVERAL_CUTS);
    for (int64_t cell = first_piece(m, at, size); cell < at + size; cell += m->layout[cell]) {
        piece p = piece_of(m, cell, at, size);
        uint64_t mask = mask_of((int)(8 * (p.high - p.low))), part = now.v >> 8 * (p.low - at) & mask;
        value held = m->words[CELLS][cell];
        if (p.high - p.low == p.whole) {
            change_cell(m, cell, now.u ? UNDEFINED : NUMBER(part));
            continue;
        }
        if (held.u != now.u) refuse(m, PARTLY_UNDEFINED);
        if (held.u) continue;
        if (like_address(held.v)) refuse(m, SEVERAL_CUTS);
        int shift = (int)(8 * (p.low - cell));
        uint64_t changed = (held.v & ~(mask << shift)) | part << shift;
        number_is_no_address(m, changed);
        change_cell(m, cell, NUMBER(changed));
    }
}
