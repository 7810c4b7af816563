/*
 * Waiting: look, spin a little if there are cores enough, then sleep until woken by the one who has
 * done what is waited for. tests/programs/irs has the protocol as a program of its own.
 */
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* About what it takes to wake a thread on another core: two that sleep in turns would never stop. */
enum { SPIN_NS = 100000, SPINS_PER_LOOK = 256, IN_VAIN_MOST = 10 };

struct irs_count *irs_counts;
struct irs_park *irs_parks;
_Atomic uint64_t irs_ring[IRS_RING];
_Atomic int irs_running;
int irs_cores;
bool irs_asymmetric;
int irs_watchdog_s = 10;

static _Alignas(IRS_LINE) _Atomic uint32_t waiting_for_decisions;

uint64_t irs_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* After the announcement to sleep and before the last look: see irs_publish. */
static void barrier_before_look(void)
{
    if (irs_asymmetric)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    else
        atomic_thread_fence(memory_order_seq_cst);
}

/* How far all threads have come; the same number twice means that nothing moved. */
int64_t irs_progress(void)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < irs_plan.threads; i++)
        sum += atomic_load(&irs_counts[i].done) + (int64_t)atomic_load(&irs_parks[i].fate);
    for (uint32_t i = 0; i < IRS_RING; i++)
        sum += (int64_t)(atomic_load(&irs_ring[i]) >> 32);
    return sum;
}

/* How long nothing has moved, as far as has been looked. Others may have looked just before. */
static uint64_t still_for(void)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static int64_t last = -1;
    static uint64_t since;
    uint64_t now = irs_now(), still;
    int64_t found;

    pthread_mutex_lock(&one_at_a_time);
    found = irs_progress();
    if (found != last || now < since)
        since = now;
    last = found;
    still = now - since;
    pthread_mutex_unlock(&one_at_a_time);
    return still;
}

/* Called when a thread has slept for the watchdog's time, and from time to time for fibers. */
void irs_look_for_stall(void)
{
    const uint64_t limit = (uint64_t)irs_watchdog_s * 1000000000u;

    if (still_for() < limit)
        return;
    irs_tell_stall(irs_watchdog_s);
    /* Who has been woken does not run yet, but whoever has woken it has moved before. */
    if (atomic_load(&irs_running) == 0 && still_for() >= limit)
        irs_stall(irs_watchdog_s);
}

/* Says that the thread goes to sleep; what it waits for has to be looked at after that. */
static void arm(struct irs_park *mine)
{
    atomic_store_explicit(&mine->asleep, 1, memory_order_release);
    barrier_before_look();
}

/* It does not sleep after all; who has woken it meanwhile has counted it twice. */
static void disarm(struct irs_park *mine)
{
    if (!atomic_exchange(&mine->asleep, 0))
        atomic_fetch_sub(&irs_running, 1);
}

/*
 * Sleeps until it is woken, or the watchdog's time is over. Who wakes it counts it as running, so
 * that nobody spins on the core that it needs.
 */
static void doze(struct irs_park *mine)
{
    struct timespec limit = {irs_watchdog_s, 0};
    int program_errno = errno; /* which a gate must not change */
    long failed;

    atomic_store(&irs_self->rest, IRS_AT_GATE);
    atomic_fetch_sub(&irs_running, 1);
    failed = syscall(SYS_futex, &mine->asleep, FUTEX_WAIT_PRIVATE, 1,
                     irs_watchdog_s ? &limit : NULL, NULL, 0);
    if (failed && errno == ETIMEDOUT)
        irs_look_for_stall();
    if (atomic_exchange(&mine->asleep, 0))
        atomic_fetch_add(&irs_running, 1);
    atomic_store(&irs_self->rest, IRS_BUSY);
    errno = program_errno;
}

static void wake(struct irs_park *park)
{
    uint32_t asleep = 1;
    uint64_t since;

    if (!atomic_compare_exchange_strong(&park->asleep, &asleep, 0))
        return;
    atomic_fetch_add(&irs_running, 1);
    since = irs_now();
    syscall(SYS_futex, &park->asleep, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    irs_self->woke_ns += irs_now() - since;
}

static void note_wait(struct irs_thread *self, uint64_t ns)
{
    self->waited_ns += ns;
    if (ns > self->longest_ns)
        self->longest_ns = ns;
}

/* Tells what the thread will sleep for, and counts it where it has to be seen. */
static void announce(struct irs_park *park, uint32_t target, int64_t wanted,
                     _Atomic uint32_t *sleepers)
{
    atomic_store_explicit(&park->target, target, memory_order_relaxed);
    atomic_store_explicit(&park->wanted, wanted, memory_order_relaxed);
    atomic_fetch_add(sleepers, 1);
}

static void withdraw(struct irs_park *park, _Atomic uint32_t *sleepers)
{
    atomic_fetch_sub(sleepers, 1);
    atomic_store_explicit(&park->target, IRS_AWAKE, memory_order_relaxed);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static bool is_core_free(void)
{
    return atomic_load_explicit(&irs_running, memory_order_relaxed) <= irs_cores;
}

/*
 * Spinning pays only while nobody who could run waits for our core. Other processes may: when it
 * was in vain, it is left for twice as long as before until it is tried again.
 */
static bool worth_spinning(struct irs_thread *self)
{
    if (self->without_spin > 0) {
        self->without_spin--;
        return false;
    }
    return is_core_free();
}

static void learn(struct irs_thread *self, bool paid)
{
    if (paid)
        self->in_vain = 0;
    else if (self->in_vain < IN_VAIN_MOST)
        self->in_vain++;
    self->without_spin = (1u << self->in_vain) - 1;
}

static int64_t look(uint32_t target)
{
    return atomic_load_explicit(&irs_counts[target].done, memory_order_acquire);
}

static int64_t spin(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    uint64_t since = 0;
    int64_t done = look(target);

    if (done >= wanted || !worth_spinning(self))
        return done;
    while (done < wanted) {
        for (int i = 0; i < SPINS_PER_LOOK && done < wanted; i++) {
            relax();
            done = look(target);
        }
        if (done >= wanted || !is_core_free())
            break;
        if (since == 0) /* a clock is slow: the first round goes without */
            since = irs_now();
        else if (irs_now() - since > SPIN_NS)
            break;
    }
    if (done >= wanted || is_core_free())
        learn(self, done >= wanted);
    if (since != 0)
        note_wait(self, irs_now() - since);
    return done;
}

/* Sleeps until a thread has done as many events as wanted; the count it has then. */
static int64_t park(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    struct irs_park *mine = &irs_parks[self->index];
    _Atomic uint32_t *sleepers = &irs_counts[target].parked;
    uint64_t since = irs_now(), now;
    int64_t done;

    announce(mine, target, wanted, sleepers);
    do {
        arm(mine);
        done = look(target);
        if (done >= wanted) {
            disarm(mine);
        } else {
            self->slept++;
            doze(mine);
            done = look(target); /* the time may be over, or it was meant for an earlier sleep */
        }
    } while (done < wanted);
    withdraw(mine, sleepers);
    now = irs_now();
    note_wait(self, now - since);
    irs_choose_place(self, target, now);
    return done;
}

void irs_await(struct irs_thread *self, uint32_t target, int64_t wanted)
{
    int64_t done = look(target);

    if (irs_fibers) {
        irs_await_as_fiber(self, target, wanted);
        return;
    }
    if (done < wanted) {
        self->waited++;
        done = spin(self, target, wanted);
        if (done < wanted)
            done = park(self, target, wanted);
    }
    self->seen[target] = done;
}

void irs_wait(struct irs_thread *self, const struct irs_event *event)
{
    struct irs_pair only = {event->thread, event->count};
    const struct irs_pair *waits = event->waits == 1 ? &only : &self->plan->waits[event->thread];

    if (irs_fibers) {
        irs_wait_as_fiber(self, event);
        return;
    }
    for (uint32_t i = 0; i < event->waits; i++) {
        int64_t wanted = self->base[waits[i].thread] + waits[i].count;
        if (self->seen[waits[i].thread] < wanted)
            irs_await(self, waits[i].thread, wanted);
    }
}

void irs_wake(struct irs_thread *self)
{
    for (uint32_t i = 0; i < irs_plan.threads; i++) {
        struct irs_park *park = &irs_parks[i];
        if (atomic_load_explicit(&park->asleep, memory_order_acquire)
            && atomic_load_explicit(&park->target, memory_order_relaxed) == self->index
            && atomic_load_explicit(&park->wanted, memory_order_relaxed) <= self->done)
            wake(park);
    }
}

bool irs_is_decided_or_ended(uint64_t number, uint32_t decider)
{
    uint64_t entry = atomic_load_explicit(&irs_ring[number % IRS_RING], memory_order_acquire);

    return entry >> 32 == (uint32_t)(number + 1)
           || (decider != IRS_NONE && atomic_load(&irs_parks[decider].fate) >= IRS_ENDED);
}

/* Waits until a decision is made, or the one who has to make it has ended. */
void irs_await_decision(struct irs_thread *self, uint64_t number, uint32_t decider)
{
    struct irs_park *mine = &irs_parks[self->index];
    bool made = irs_is_decided_or_ended(number, decider);
    uint64_t since;

    if (made)
        return;
    if (irs_fibers) {
        irs_await_decision_as_fiber(self, number, decider);
        return;
    }
    self->waited++;
    since = irs_now();
    if (worth_spinning(self)) {
        for (uint64_t until = irs_now() + SPIN_NS; !made && irs_now() < until;) {
            relax();
            made = irs_is_decided_or_ended(number, decider);
            if (!is_core_free())
                break;
        }
        if (made || is_core_free())
            learn(self, made);
    }
    if (!made) {
        announce(mine, IRS_DECISION, (int64_t)number, &waiting_for_decisions);
        do {
            arm(mine);
            made = irs_is_decided_or_ended(number, decider);
            if (made) {
                disarm(mine);
            } else {
                self->slept++;
                doze(mine);
                made = irs_is_decided_or_ended(number, decider);
            }
        } while (!made);
        withdraw(mine, &waiting_for_decisions);
    }
    note_wait(self, irs_now() - since);
}

/* After a decision: wakes those whom its marks concern (NULL: all), and those far behind. */
void irs_wake_deciders(uint64_t number, const uint32_t *marks)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&waiting_for_decisions) == 0)
        return;
    for (uint32_t i = 0; i < irs_plan.threads; i++) {
        struct irs_park *park = &irs_parks[i];
        bool concerned = marks == NULL;
        if (!atomic_load(&park->asleep) || atomic_load(&park->target) != IRS_DECISION)
            continue;
        if (!concerned)
            concerned = (marks[i] & IRS_RELEVANT)
                        || number - (uint64_t)atomic_load(&park->wanted) >= IRS_RING / 2;
        if (concerned)
            wake(park);
    }
}

/* Nothing is left to do for the thread, and it must not go on. */
_Noreturn void irs_sleep_forever(struct irs_thread *self)
{
    struct irs_park *mine = &irs_parks[self->index];

    atomic_store(&mine->decisions, UINT64_MAX);
    atomic_store(&mine->target, IRS_FOREVER);
    irs_wake_deciders(UINT64_MAX, NULL); /* nothing may be left for those who sleep either */
    if (irs_fibers) {
        atomic_store(&self->rest, IRS_AT_GATE);
        irs_leave_for_ever(self);
    }
    for (;;) {
        irs_check_all_stopped();
        atomic_store(&mine->asleep, 1);
        doze(mine);
    }
}
