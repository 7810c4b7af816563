/* Sets of small integers as arrays of words. */
#include <stdint.h>
#include <stdio.h>

typedef struct { uint64_t w[2]; } set;

static set with(set s, unsigned e) { s.w[e / 64] |= (uint64_t)1 << e % 64; return s; }
static int has(set s, unsigned e) { return s.w[e / 64] >> e % 64 & 1; }
static set unite(set a, set b) { return (set){ { a.w[0] | b.w[0], a.w[1] | b.w[1] } }; }
static set common(set a, set b) { return (set){ { a.w[0] & b.w[0], a.w[1] & b.w[1] } }; }
static set minus(set a, set b) { return (set){ { a.w[0] & ~b.w[0], a.w[1] & ~b.w[1] } }; }
static int size(set s) { return __builtin_popcountll(s.w[0]) + __builtin_popcountll(s.w[1]); }

static void show(const char *name, set s)
{
    printf("%s:", name);
    for (int i = 0; i < 2; i++)
        for (uint64_t w = s.w[i]; w; w &= w - 1)
            printf(" %d", i * 64 + __builtin_ctzll(w));
    printf(" (%d)\n", size(s));
}

int main(void)
{
    set twos = { { 0 } }, threes = { { 0 } };
    for (unsigned i = 0; i < 128; i += 16)
        twos = with(twos, i);
    for (unsigned i = 0; i < 128; i += 24)
        threes = with(threes, i);
    show("twos", twos);
    show("threes", threes);
    show("union", unite(twos, threes));
    show("common", common(twos, threes));
    show("minus", minus(twos, threes));
    printf("%d %d\n", has(twos, 112), has(threes, 112));
    return size(unite(twos, threes)) * 8 + size(common(twos, threes));
}
