#include "budget.h"

#include <stdlib.h>
#include <string.h>

static void account(budget *b, int64_t bytes) {
    b->used += bytes;
    if (b->limit && b->used > b->limit) longjmp(b->exhausted, 1);
}

void *grow(budget *b, void *old, int64_t *room, int64_t wanted, size_t size) {
    int64_t more = *room * 2 > wanted ? *room * 2 : wanted;
    if (more < 16) more = 16;
    account(b, (more - *room) * (int64_t)size);
    void *found = realloc(old, (size_t)more * size);
    if (found == NULL) {
        b->used -= (more - *room) * (int64_t)size;
        longjmp(b->exhausted, 1);
    }
    memset((char *)found + (size_t)*room * size, 0, (size_t)(more - *room) * size);
    *room = more;
    return found;
}

void *take(budget *b, int64_t count, size_t size) {
    void *found = calloc((size_t)(count > 0 ? count : 1), size);
    if (found == NULL) longjmp(b->exhausted, 1);
    return found;
}
