#include "table.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint32_t hash_of(const uint32_t *words, int64_t length) {
    uint64_t h = 0x9e3779b97f4a7c15ull ^ (uint64_t)length;
    int64_t k = 0;
    for (; k + 4 <= length; k += 4) {
        uint64_t a, b;
        memcpy(&a, words + k, 8);
        memcpy(&b, words + k + 2, 8);
        h = mix(a ^ h, b ^ 0xe7037ed1a0b428dbull);
    }
    for (; k < length; k++) h = mix(h ^ words[k], 0x8ebc6af09c88c6e3ull);
    return (uint32_t)(h ^ h >> 32);
}

static int is_entry(const table *t, uint64_t slot, uint32_t hash, const uint32_t *words,
                    int64_t length) {
    if ((uint32_t)(slot >> 32) != hash) return 0;
    const uint32_t *at = t->words + (uint32_t)slot - 1;
    if (at[1] != (uint32_t)length) return 0;
    for (int64_t k = 0; k < length; k++)
        if (at[2 + k] != words[k]) return 0;
    return 1;
}

static void rehash(table *t, budget *b) {
    int64_t slots = t->mask ? (t->mask + 1) * 2 : 64, room = 0;
    uint64_t *fresh = grow(b, NULL, &room, slots, sizeof *fresh);
    for (int64_t n = 0; t->mask && n <= t->mask; n++) {
        if (!t->slots[n]) continue;
        int64_t at = (int64_t)(t->slots[n] >> 32) & (slots - 1);
        while (fresh[at]) at = (at + 1) & (slots - 1);
        fresh[at] = t->slots[n];
    }
    if (t->slots) b->used -= (t->mask + 1) * (int64_t)sizeof *t->slots;
    free(t->slots);
    t->slots = fresh;
    t->mask = slots - 1;
}

int64_t table_find(const table *t, const uint32_t *words, int64_t length) {
    if (!t->slots) return -1;
    uint32_t hash = hash_of(words, length);
    for (int64_t at = hash & t->mask; t->slots[at]; at = (at + 1) & t->mask)
        if (is_entry(t, t->slots[at], hash, words, length))
            return t->words[(uint32_t)t->slots[at] - 1];
    return -1;
}

int64_t table_number(table *t, budget *b, const uint32_t *words, int64_t length) {
    if (t->count * 3 >= t->mask * 2) rehash(t, b);
    uint32_t hash = hash_of(words, length);
    int64_t at = hash & t->mask;
    for (; t->slots[at]; at = (at + 1) & t->mask)
        if (is_entry(t, t->slots[at], hash, words, length))
            return t->words[(uint32_t)t->slots[at] - 1];
    int64_t number = t->count, start = t->length;
    if (start + length + 2 >= UINT32_MAX) longjmp(b->exhausted, 1); /* it cannot be told apart */
    if (number >= t->starts_room)
        t->starts = grow(b, t->starts, &t->starts_room, number + 1, sizeof *t->starts);
    if (start + length + 2 > t->words_room)
        t->words = grow(b, t->words, &t->words_room, start + length + 2, sizeof *t->words);
    t->words[start] = (uint32_t)number;
    t->words[start + 1] = (uint32_t)length;
    if (length) memcpy(t->words + start + 2, words, (size_t)length * sizeof *words);
    t->length += length + 2;
    t->starts[number] = start + 2;
    t->slots[at] = (uint64_t)hash << 32 | (uint64_t)(start + 1);
    t->count++;
    return number;
}

void table_free(table *t) {
    free(t->slots);
    free(t->starts);
    free(t->words);
    memset(t, 0, sizeof *t);
}
