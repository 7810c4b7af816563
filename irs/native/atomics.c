/*
 * Atomic operations on objects that are too large for an instruction. The place itself is read or
 * written at once, by the library's function, on memory of our own. What goes there or comes from
 * there is memory like any other: where others may use it, it is read before that and written after
 * it, each word in an event of its own; else in the same event.
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8, SMALL = 64 };

typedef void load_function(uint64_t, const void *, void *, int);
typedef void store_function(uint64_t, void *, const void *, int);
typedef void exchange_function(uint64_t, void *, const void *, void *, int);
typedef bool compare_exchange_function(uint64_t, void *, void *, const void *, int, int);

struct operation {
    uint32_t site, shared;
    void *performed;
    uint64_t size;
    char *own[2]; /* what the library's function is given */
    char small[2][SMALL];
};

static void begin(struct operation *operation, uint64_t size)
{
    struct irs_thread *self = irs_self;

    operation->site = self->site, operation->shared = self->shared;
    operation->performed = self->performed;
    operation->size = size;
    for (unsigned n = 0; n < 2; n++) {
        operation->own[n] = size <= SMALL ? operation->small[n] : malloc(size);
        if (operation->own[n] == NULL)
            irs_refuse("there is no memory left for %s", irs_site_text(operation->site));
    }
}

static void end(struct operation *operation)
{
    for (unsigned n = 0; n < 2; n++)
        if (operation->own[n] != operation->small[n])
            free(operation->own[n]);
}

static bool is_shared(const struct operation *operation, unsigned argument)
{
    return operation->shared >> argument & 1;
}

static void copy_by_words(const struct operation *operation, char *to, const char *from)
{
    uint64_t left;

    for (uint64_t at = 0; at < operation->size; at += WORD) {
        left = operation->size - at;
        irs_pass(irs_self, operation->site);
        memcpy(to + at, from + at, left < WORD ? left : WORD);
        irs_done(irs_self);
    }
}

/* Between events: what others may use. */
static void copy_shared(const struct operation *operation, unsigned argument, char *to,
                        const char *from)
{
    if (is_shared(operation, argument))
        copy_by_words(operation, to, from);
}

/* Within the event: what nobody else uses. */
static void copy_private(const struct operation *operation, unsigned argument, char *to,
                         const char *from)
{
    if (!is_shared(operation, argument))
        memcpy(to, from, operation->size);
}

void irs_atomic_load(uint64_t size, const void *place, char *to, int order)
{
    struct operation operation;

    begin(&operation, size);
    irs_pass(irs_self, operation.site);
    ((load_function *)operation.performed)(size, place, operation.own[0], order);
    copy_private(&operation, 2, to, operation.own[0]);
    irs_done(irs_self);
    copy_shared(&operation, 2, to, operation.own[0]);
    end(&operation);
}

void irs_atomic_store(uint64_t size, void *place, const char *from, int order)
{
    struct operation operation;

    begin(&operation, size);
    copy_shared(&operation, 2, operation.own[0], from);
    irs_pass(irs_self, operation.site);
    copy_private(&operation, 2, operation.own[0], from);
    ((store_function *)operation.performed)(size, place, operation.own[0], order);
    irs_done(irs_self);
    end(&operation);
}

void irs_atomic_exchange(uint64_t size, void *place, const char *from, char *to, int order)
{
    struct operation operation;

    begin(&operation, size);
    copy_shared(&operation, 2, operation.own[0], from);
    irs_pass(irs_self, operation.site);
    copy_private(&operation, 2, operation.own[0], from);
    ((exchange_function *)operation.performed)(size, place, operation.own[0], operation.own[1],
                                               order);
    copy_private(&operation, 3, to, operation.own[1]);
    irs_done(irs_self);
    copy_shared(&operation, 3, to, operation.own[1]);
    end(&operation);
}

bool irs_atomic_compare_exchange(uint64_t size, void *place, char *expected, const char *desired,
                                 int success, int failure)
{
    struct operation operation;
    bool same;

    begin(&operation, size);
    copy_shared(&operation, 2, operation.own[0], expected);
    copy_shared(&operation, 3, operation.own[1], desired);
    irs_pass(irs_self, operation.site);
    copy_private(&operation, 2, operation.own[0], expected);
    copy_private(&operation, 3, operation.own[1], desired);
    same = ((compare_exchange_function *)operation.performed)(
        size, place, operation.own[0], operation.own[1], success, failure);
    if (!same)
        copy_private(&operation, 2, expected, operation.own[0]);
    irs_done(irs_self);
    if (!same)
        copy_shared(&operation, 2, expected, operation.own[0]);
    end(&operation);
    return same;
}
