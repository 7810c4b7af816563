/*
 * Copies of memory that several threads use: each piece is read in one event and written in another,
 * as the verifier took them. What the pieces are depends on what the memory was declared as.
 */
#include "runtime.h"

#include <string.h>

enum { WIDEST = 16 }; /* that is moved at once */

/* What is known of the memory that a copy may be given: the scalars in it, if it was declared. */
struct irs_layout {
    const void *base; /* of a variable; null: of any other memory, at the end of a list */
    uint64_t bytes;   /* of the variable; any other memory: whether it is not to be used */
    uint64_t period;
    const uint8_t *scalars; /* at each offset, the size of the scalar that begins there, or 0 */
};

const struct irs_layout irs_undeclared = {0}, irs_unforeseen = {.bytes = 1};

struct place {
    const struct irs_layout *layout;
    uint64_t offset;
};

static struct place place_of(const void *address, const struct irs_layout *const *known, uint32_t site)
{
    uint64_t offset = 0;

    for (; (*known)->base; known++) {
        offset = (uintptr_t)address - (uintptr_t)(*known)->base;
        if (offset < (*known)->bytes)
            return (struct place){*known, offset};
    }
    if ((*known)->bytes)
        irs_refuse("%s uses memory that was not foreseen", irs_site_text(site));
    return (struct place){*known, 0};
}

/* How many bytes an event moves. */
static uint64_t piece(struct place first, struct place second, const char *address, uint64_t at,
                      uint64_t left)
{
    struct place declared = first.layout->scalars ? first : second;
    uint64_t size;

    if (!declared.layout->scalars)
        return ((uintptr_t)address + at) % 4 == 0 && left >= 4 ? 4 : 1;
    size = declared.layout->scalars[(declared.offset + at) % declared.layout->period];
    return size && size <= left ? size : 1;
}

/* The last piece that begins before `end`. */
static uint64_t last_before(struct place first, struct place second, const char *address,
                            uint64_t size, uint64_t end)
{
    uint64_t at = 0, n;

    while ((n = piece(first, second, address, at, size - at)) && at + n < end)
        at += n;
    return at;
}

static void move(uint32_t site, char *to, const char *from, uint64_t size)
{
    char piece[WIDEST];

    irs_pass(irs_self, site);
    memcpy(piece, from, size);
    irs_done(irs_self);
    irs_pass(irs_self, site);
    memcpy(to, piece, size);
    irs_done(irs_self);
}

static void nothing(uint32_t site)
{
    irs_pass(irs_self, site);
    irs_done(irs_self);
}

/* Upwards, but for copies whose end would overwrite what is still to be read. */
void irs_copy(uint32_t site, char *to, const char *from, uint64_t size,
              const struct irs_layout *const *to_known, const struct irs_layout *const *from_known)
{
    struct place source, target;
    uint64_t at, n, end;

    if (size == 0) {
        nothing(site);
        return;
    }
    source = place_of(from, from_known, site), target = place_of(to, to_known, site);
    if (from < to && to < from + size)
        for (end = size; end; end = at) {
            at = last_before(source, target, from, size, end);
            move(site, to + at, from + at, end - at);
        }
    else
        for (at = 0; at < size; at += n) {
            n = piece(source, target, from, at, size - at);
            move(site, to + at, from + at, n);
        }
}

void irs_fill(uint32_t site, char *to, uint32_t byte, uint64_t size,
              const struct irs_layout *const *known)
{
    struct place target;
    uint64_t at, n;

    if (size == 0) {
        nothing(site);
        return;
    }
    target = place_of(to, known, site);
    for (at = 0; at < size; at += n) {
        n = piece(target, target, to, at, size - at);
        irs_pass(irs_self, site);
        memset(to + at, (int)byte, n);
        irs_done(irs_self);
    }
}
