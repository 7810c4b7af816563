/* Strategies that choose who moves next, as random as the number they start from.

   PRIORITIES is probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010). */

#include "choice.h"

struct choice choice;

#define LONGEST_TURN 4000 /* steps, before somebody else gets one */

/* One of so many steps counts as one after which a turn may end. */
static const uint64_t counted[] = {
    [QUIET_LIBRARY] = 200, [QUIET] = 20, [LIBRARY] = 4, [SYSTEM] = 1, [OWN] = 1};

uint64_t choice_draw(struct choice *c, uint64_t below)
{
    uint64_t z = c->random += 0x9e3779b97f4a7c15; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % below;
}

void choice_start(struct choice *c, uint64_t run, long expected)
{
    static const long rates[] = {2, 4, 10, 30};
    *c = (struct choice){.random = run, .expected = expected > 10 ? expected : 10};
    choice_draw(c, 2);
    c->kind = choice_draw(c, 5) < 2 ? BURSTS : choice_draw(c, 3) == 0 ? RATE : PRIORITIES;
    c->rate = rates[choice_draw(c, 4)];
    c->current = -1;
    c->coarse = choice_draw(c, 2) > 0;
    c->whole = c->coarse || choice_draw(c, 8);
    c->gathering = choice_draw(c, 4) > 0;
    for (int k = 0; k < MOST_THREADS; k++)
        c->rank[k] = (int)choice_draw(c, 1000);
    uint64_t changes = 1 + choice_draw(c, MOST_CHANGES);
    for (uint64_t k = 0; k < MOST_CHANGES; k++)
        c->change[k] = k < changes ? (long)choice_draw(c, (uint64_t)c->expected) : -1;
}

static void end_turn(struct choice *c)
{
    c->rank[c->current] = --c->last;
    c->current = -1;
}

void choice_stepped(struct choice *c, enum place where)
{
    if (c->current < 0)
        return;
    c->arrived[c->current] |= where == OWN || where == QUIET;
    if (++c->turn >= LONGEST_TURN) {
        c->gathering = 0;
        end_turn(c);
        return;
    }
    if (c->gathering)
        return;
    if ((c->coarse && where != OWN && where != QUIET) || choice_draw(c, counted[where]))
        return;
    c->noticed++;
    if (c->kind == BURSTS && --c->left <= 0)
        c->current = -1;
    if (c->kind == RATE && choice_draw(c, (uint64_t)c->rate) == 0)
        c->current = -1;
    for (int k = 0; c->kind == PRIORITIES && k < MOST_CHANGES; k++)
        if (c->noticed == c->change[k] && c->current >= 0)
            end_turn(c);
}

static int highest(const struct choice *c, const int *ready, int count)
{
    int best = ready[0];
    for (int k = 1; k < count; k++)
        if (c->rank[ready[k]] > c->rank[best])
            best = ready[k];
    return best;
}

/* The first thread starts all others before their code begins; without it races are rare. */
static int gathered(const struct choice *c, const int *ready, int count)
{
    for (int k = 0; k < count; k++)
        if (ready[k] == 0 || !c->arrived[ready[k]])
            return ready[k];
    return -1;
}

int choice_next(struct choice *c, const int *ready, int count)
{
    int first = c->gathering ? gathered(c, ready, count) : -1;
    int before = c->current, next = first;
    if (next < 0)
        c->gathering = 0;
    for (int k = 0; k < count && next < 0 && c->kind != PRIORITIES; k++)
        if (ready[k] == before)
            next = before;
    if (next < 0 && c->kind == PRIORITIES)
        next = highest(c, ready, count);
    if (next < 0)
        next = ready[choice_draw(c, (uint64_t)count)];
    if (next != before) {
        c->turn = 0;
        c->left = 1 + (long)choice_draw(c, 1ULL << choice_draw(c, 6));
    }
    c->current = next;
    return next;
}
