/*
 * From section to section. Every thread walks by itself. Where a section is always followed by the
 * same one nobody has to talk; where ways part, one thread decides, and the others read its
 * decision in a ring.
 */
#include "runtime.h"

#include <sched.h>
#include <string.h>
#include <time.h>

enum { LONG_TURN = 1024 }; /* sections after which a fiber lets others go on */
static _Atomic uint32_t ended; /* threads under gates */
const struct irs_event irs_stay = {IRS_NONE, IRS_STAY, 0, 0, 0};

static const uint32_t *marks(const struct irs_plan *plan, uint32_t section)
{
    return &plan->marks[(size_t)section * plan->threads];
}

/* Waits until all that was scheduled before the present section has happened. */
static void await_all(struct irs_thread *self, uint32_t section)
{
    const struct irs_section *last;

    if (section == IRS_NONE)
        return;
    last = &self->plan->section[section];
    for (uint32_t i = 0; i < last->tails; i++) {
        uint32_t other = self->plan->tails[last->first_tail + i];
        if (other != self->index && self->seen[other] < self->base[other])
            irs_await(self, other, self->base[other]);
    }
}

static bool holds(const struct irs_case *c)
{
    const struct irs_cell *cell = irs_cells[c->cell];
    uint64_t found[2] = {0, 0};

    memcpy(found, cell->address, cell->size);
    return found[0] == c->low && found[1] == c->high;
}

static const char *end_of(bool stopped)
{
    return stopped ? "is stopped by a failed assumption" : "ends";
}

/* The case that applies to a thread that stands at a site, or has ended. */
static uint32_t choose(struct irs_thread *self, uint32_t decider, uint32_t site, bool stopped)
{
    const struct irs_section *here = &self->plan->section[self->section];
    bool told_all = false;

    for (uint32_t i = 0; i < here->cases; i++) {
        const struct irs_case *c = &self->plan->cases[here->first_case + i];
        bool anywhere = c->guard == IRS_CELL && c->site == IRS_NONE;
        if (c->site != site && !anywhere)
            continue;
        if (c->guard == IRS_STOPPED && site != IRS_NONE)
            continue;
        if (c->guard == IRS_CELL) {
            if (!told_all)
                await_all(self, self->previous);
            told_all = true;
            if (!holds(c))
                continue;
        } else if (site == IRS_NONE && stopped != (c->guard == IRS_STOPPED)) {
            continue;
        }
        return c->section;
    }
    if (site == IRS_NONE)
        irs_deviate(self,
                    (struct irs_deviation){irs_thread_name(decider), end_of(stopped),
                                           self->section, NULL},
                    "%s has %s, which is not foreseen after section %u",
                    irs_thread_name(decider), stopped ? "been stopped" : "ended", self->section);
    irs_deviate(self,
                (struct irs_deviation){self->name, irs_event_text(site), self->section, NULL},
                "comes to %s, which is not foreseen after section %u", irs_site_text(site),
                self->section);
}

/* Whether a thread is near enough to a decision for the next one to be written. */
bool irs_has_read(uint32_t reader, uint64_t number)
{
    uint64_t read = atomic_load_explicit(&irs_parks[reader].decisions, memory_order_acquire);

    /* Where anybody may decide, the reader may have done so and be ahead of who asks. */
    return read == UINT64_MAX || (int64_t)(number - read) < IRS_RING;
}

/* Nobody may overwrite what somebody still has to read. */
static void await_room(struct irs_thread *self)
{
    const struct timespec little = {0, 200000};

    for (uint32_t i = 0; i < irs_plan.threads; i++)
        for (unsigned tries = 0; i != self->index && !irs_has_read(i, self->decisions); tries++) {
            if (irs_fibers)
                irs_await_reader_as_fiber(self, i);
            else if (tries < 100)
                sched_yield();
            else
                nanosleep(&little, NULL);
        }
}

static bool has_ended(uint32_t thread)
{
    return atomic_load(&irs_parks[thread].fate) >= IRS_ENDED;
}

/*
 * No event of a thread that has ended may be scheduled: others would wait for it for ever. What it
 * would have to decide next others have to decide, so they must not sleep.
 */
static void look_for_dead(struct irs_thread *self, const struct irs_plan *p, uint32_t section)
{
    for (uint32_t n = 0; n < p->sections; n++) {
        const struct irs_section *here = &p->section[section];
        for (uint32_t t = 0; t < p->threads; t++) {
            size_t at = (size_t)section * p->threads + t;
            const char *expected = irs_site_text(p->events[p->begin[at]].site);
            if (p->counts[at] > 0 && has_ended(t)
                && atomic_load(&irs_parks[t].ended_at) <= self->decisions)
                irs_deviate(self,
                            (struct irs_deviation){irs_thread_name(t), "ends", section, expected},
                            "%s has ended, but section %u expects it at %s", irs_thread_name(t),
                            section, expected);
        }
        if (here->kind == IRS_BRANCH && has_ended(here->argument))
            irs_wake_deciders(UINT64_MAX, NULL);
        if (here->kind != IRS_FOLLOW)
            return;
        section = here->argument;
    }
}

static bool is_decided(uint64_t number, uint32_t *section)
{
    uint64_t entry = atomic_load_explicit(&irs_ring[number % IRS_RING], memory_order_acquire);

    *section = (uint32_t)entry;
    return entry >> 32 == (uint32_t)(number + 1);
}

/* The plan and the section that a decision stands for. */
static const struct irs_plan *decided(struct irs_thread *self, uint32_t *section)
{
    const struct irs_plan *plan = self->plan;

    if (*section == IRS_RELAX) {
        plan = atomic_load_explicit(&plan->after, memory_order_acquire);
        *section = plan->entries[self->section];
    }
    return plan;
}

/* Tells the others what comes next, unless somebody was faster. */
static void decide(struct irs_thread *self, uint32_t section)
{
    const struct irs_plan *plan;
    uint64_t number = self->decisions;
    uint64_t before = number < IRS_RING ? 0 : number + 1 - IRS_RING;
    _Atomic uint64_t *slot = &irs_ring[number % IRS_RING];
    uint64_t found;

    if (number >= IRS_RING)
        await_room(self);
    found = atomic_load_explicit(slot, memory_order_relaxed);
    if (found >> 32 != (uint32_t)before
        || !atomic_compare_exchange_strong(slot, &found, (number + 1) << 32 | section))
        return;
    if (section >= IRS_DROP) {
        irs_tell_relaxed(self, section);
        irs_wake_deciders(number, NULL);
    } else {
        irs_wake_deciders(number, marks(self->plan, section));
    }
    if (section != IRS_DROP && atomic_load(&ended) > 0) {
        plan = decided(self, &section);
        look_for_dead(self, plan, section);
    }
}

/* Who stands at the first event of a section may choose it. */
static bool pick(struct irs_thread *self, uint32_t site)
{
    const struct irs_section *here = &self->plan->section[self->section];

    for (uint32_t i = 0; i < here->cases; i++) {
        const struct irs_case *c = &self->plan->cases[here->first_case + i];
        if (c->cell == self->index && c->site == site) {
            decide(self, c->section);
            return true;
        }
    }
    return false;
}

/* Whether a decision needs all that was scheduled before to have happened. */
static bool asks_memory(const struct irs_plan *plan, const struct irs_section *section)
{
    for (uint32_t i = 0; i < section->cases; i++)
        if (plan->cases[section->first_case + i].guard == IRS_CELL)
            return true;
    return false;
}

/* Whether the plan has something for the thread after the present section. */
static bool is_ahead(const struct irs_thread *self)
{
    return marks(self->plan, self->section)[self->index] & IRS_AHEAD;
}

/*
 * Where a section is always followed by the same one, another plan can only be taken if all threads
 * do so: each fourth time, by chance that is the same for all, the first who comes decides. Who has
 * nothing to do under the present plan waits there for another one.
 */
static bool is_look(const struct irs_thread *self)
{
    return irs_live && (self->instance * 0x9E3779B97F4A7C15u) >> 62 == 0;
}

/*
 * What follows the present section; false when a thread that has ended would have to wait: others
 * may wait for its end, and will decide in its place.
 */
static bool follow_decision(struct irs_thread *self, uint32_t site, bool stopped, uint32_t *to)
{
    const struct irs_section *here = &self->plan->section[self->section];
    uint32_t decider = here->kind == IRS_BRANCH ? here->argument : IRS_NONE;
    bool tried = false;
    uint32_t news;

    for (;;) {
        /* First: who has ended by now has made all decisions that it had to make before. */
        uint32_t fate = decider == IRS_NONE ? IRS_RUNNING : atomic_load(&irs_parks[decider].fate);

        if (is_decided(self->decisions, to))
            return true;
        if (irs_live && (news = irs_news(self)) != IRS_NONE) {
            decide(self, news);
            continue;
        }
        if (site == IRS_NONE && (tried || asks_memory(self->plan, here)))
            return false;
        if (decider == self->index)
            decide(self, choose(self, decider, site, stopped));
        else if (here->kind == IRS_FOLLOW && is_ahead(self))
            decide(self, here->argument);
        else if (fate >= IRS_ENDED)
            decide(self, choose(self, decider, IRS_NONE, fate == IRS_STUCK));
        else if (tried || here->kind != IRS_CHOICE || !pick(self, site)) {
            if (site == IRS_NONE)
                return false;
            irs_await_decision(self, self->decisions, decider);
        }
        tried = true;
    }
}

enum step { MOVED, FREED, OVER, UNDECIDED };

/* One step from the end of a section; a thread that has ended (at no site) does not wait. */
static enum step step(struct irs_thread *self, uint32_t site, bool stopped)
{
    const struct irs_plan *p = self->plan;
    const struct irs_section *here = &p->section[self->section];
    const int32_t *counts = &p->counts[(size_t)self->section * p->threads];
    uint32_t previous = self->previous;
    uint32_t to = here->argument;

    if (here->kind == IRS_END || !(irs_live || is_ahead(self)))
        return OVER;
    for (uint32_t u = 0; u < p->threads; u++)
        self->base[u] += counts[u];
    if (here->tails > 0)
        self->previous = self->section;
    if (here->kind == IRS_FREE)
        return FREED;
    if (here->kind != IRS_FOLLOW || is_look(self)) {
        if (!follow_decision(self, site, stopped, &to)) {
            for (uint32_t u = 0; u < p->threads; u++)
                self->base[u] -= counts[u];
            self->previous = previous;
            return UNDECIDED;
        }
        self->decisions++;
        if (site != IRS_NONE)
            atomic_store_explicit(&irs_parks[self->index].decisions, self->decisions,
                                  memory_order_release);
        if (to == IRS_DROP)
            return FREED;
        if (to == IRS_RELAX) {
            if (site != IRS_NONE) /* what came before has happened: neither plan waits for it */
                await_all(self, self->previous);
            self->plan = p = decided(self, &to);
            self->previous = IRS_NONE;
        }
    }
    self->section = to;
    self->instance++;
    if (irs_recorded)
        irs_record_section(self);
    self->next = &p->events[p->begin[(size_t)to * p->threads + self->index]];
    return MOVED;
}

void irs_set_free(struct irs_thread *self)
{
    self->free = true;
    self->next = &irs_stay;
    if (self == irs_self)
        irs_leave_place(self); /* nobody will look again how it hands over */
    atomic_store_explicit(&irs_parks[self->index].decisions, UINT64_MAX, memory_order_release);
}

const struct irs_event *irs_turn(struct irs_thread *self, uint32_t site)
{
    if (self->next->flags & IRS_STAY) {
        if (self->free) /* nothing orders events any more, but they were verified in some order */
            atomic_thread_fence(memory_order_seq_cst);
        return self->next;
    }
    while (self->next->site == IRS_NONE) {
        enum step taken;
        if (IRS_RARELY(++self->turns % LONG_TURN == 0) && irs_fibers)
            irs_let_others(self);
        taken = step(self, site, false);
        if (taken == OVER)
            irs_sleep_forever(self);
        if (taken == FREED) {
            await_all(self, self->previous);
            irs_set_free(self);
            atomic_thread_fence(memory_order_seq_cst);
            return self->next;
        }
    }
    if (self->next->site != site)
        irs_deviate(self,
                    (struct irs_deviation){self->name, irs_event_text(site), self->section,
                                           irs_site_text(self->next->site)},
                    "comes to %s, but section %u expects %s", irs_site_text(site),
                    self->section, irs_site_text(self->next->site));
    if (self->next->flags & IRS_SEAM)
        await_all(self, self->previous);
    return self->next;
}

static void walk_on(struct irs_thread *self, bool stopped)
{
    do {
        if (self->next->site != IRS_NONE)
            irs_deviate(self,
                        (struct irs_deviation){self->name, end_of(stopped), self->section,
                                               irs_site_text(self->next->site)},
                        "%s, but section %u expects it at %s",
                        stopped ? "has been stopped by an assumption" : "has ended",
                        self->section, irs_site_text(self->next->site));
    } while (step(self, IRS_NONE, stopped) == MOVED);
}

/*
 * A thread has ended, or been stopped for ever: it must have nothing left to do. What it would have
 * to decide later others decide for it. It looks again after it has said so: whoever decides
 * meanwhile looks at whom that concerns.
 */
void irs_walk_to_end(struct irs_thread *self, bool stopped)
{
    if (self->free)
        return;
    walk_on(self, stopped);
    atomic_store(&irs_parks[self->index].ended_at, self->decisions);
    atomic_fetch_add(&ended, 1);
    atomic_store(&irs_parks[self->index].fate, stopped ? IRS_STUCK : IRS_ENDED);
    walk_on(self, stopped);
    atomic_store(&irs_parks[self->index].decisions, UINT64_MAX);
    irs_wake_deciders(UINT64_MAX, NULL);
}
