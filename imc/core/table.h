/* A table of sequences of words: each gets a number, the same whenever it comes again. Exact. */
#ifndef IMC_TABLE_H
#define IMC_TABLE_H

#include <stdint.h>

#include "budget.h"

typedef struct {
    uint32_t *slots; /* numbers + 1; 0: free */
    uint32_t *hashes;
    int64_t *starts; /* of the sequences, by number; there is one more */
    uint32_t *words;
    int64_t mask, count;
    int64_t starts_room, words_room, hashes_room;
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
