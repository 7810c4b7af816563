#include "budget.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void account(budget *b, int64_t bytes) {
    b->used += bytes;
    if (b->limit && b->used > b->limit) longjmp(b->exhausted, 1);
}

enum { HUGE = 1 << 21 };

/* Large tables are looked up all over: most of the time went into finding their pages. */
static void ask_for_large_pages(char *at, size_t bytes) {
    size_t skipped = (size_t)(-(intptr_t)at & (HUGE - 1));
    if (bytes >= 4 * (size_t)HUGE)
        madvise(at + skipped, (bytes - skipped) & ~(size_t)(HUGE - 1), MADV_HUGEPAGE);
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
    ask_for_large_pages(found, (size_t)more * size);
    memset((char *)found + (size_t)*room * size, 0, (size_t)(more - *room) * size);
    *room = more;
    return found;
}

void *take(budget *b, int64_t count, size_t size) {
    void *found = calloc((size_t)(count > 0 ? count : 1), size);
    if (found == NULL) longjmp(b->exhausted, 1);
    return found;
}
