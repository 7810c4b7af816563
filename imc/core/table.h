/* A table of sequences of words: each gets a number, the same whenever it comes again. Exact. */
#ifndef IMC_TABLE_H
#define IMC_TABLE_H

#include <stdint.h>

#include "budget.h"

typedef struct {
    uint64_t *slots; /* a hash, and below it where an entry begins, + 1; 0: free */
    int64_t *starts; /* where the words of sequences begin, by number */
    uint32_t *words; /* of entries: number, length, the sequence */
    int64_t mask, count, length;
    int64_t starts_room, words_room;
} table;

/* The number of a sequence, which is added if it is new; then it is the highest so far. */
int64_t table_number(table *, budget *, const uint32_t *words, int64_t length);
/* The same, -1 if it is not there. */
int64_t table_find(const table *, const uint32_t *words, int64_t length);
void table_free(table *);

/* A sequence in the making. */
typedef struct {
    uint32_t *words;
    int64_t length, room;
} sequence;

static inline void sequence_add(sequence *s, budget *b, uint32_t word) {
    if (s->length == s->room) s->words = grow(b, s->words, &s->room, s->length + 1, sizeof *s->words);
    s->words[s->length++] = word;
}

static inline void sequence_add_long(sequence *s, budget *b, uint64_t word) {
    if (s->length + 2 > s->room)
        s->words = grow(b, s->words, &s->room, s->length + 2, sizeof *s->words);
    s->words[s->length++] = (uint32_t)word;
    s->words[s->length++] = (uint32_t)(word >> 32);
}

#endif
