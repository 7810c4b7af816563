/*
 * Where threads run. Where more of them hand over to each other than there are cores, they are
 * better off on one core: waking a thread there is a switch, waking one on a core that has gone to
 * sleep takes ten times as long. Fewer are best on a core each, where they spin for each other; but
 * the system likes to put who is woken next to whoever wakes it. A thread is placed when it sleeps
 * often and computes little in between, and set free when it computes more.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <sched.h>
#include <stdbool.h>

enum { SLEEPS = 64, LITTLE_NS = 10000, MUCH_NS = 20000 }; /* computed between two sleeps */

static _Atomic int home = -1;
static cpu_set_t everywhere;
static bool crowded;

void irs_start_places(void)
{
    crowded = irs_plan.active > (uint32_t)irs_cores;
    sched_getaffinity(0, sizeof everywhere, &everywhere);
}

static int common_core(void)
{
    int none = -1, here = sched_getcpu();

    return atomic_compare_exchange_strong(&home, &none, here) ? here : none;
}

/* Back to all cores that the process may use. */
void irs_leave_place(struct irs_thread *self)
{
    if (self->placed)
        sched_setaffinity(0, sizeof everywhere, &everywhere);
    self->placed = false;
}

static void keep_to(struct irs_thread *self, const cpu_set_t *cores)
{
    self->placed = CPU_COUNT(cores) > 0 && sched_setaffinity(0, sizeof *cores, cores) == 0;
}

static void go_home(struct irs_thread *self)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(common_core(), &one);
    keep_to(self, &one);
}

/* Of two who sleep for each other on one core, one stays, and the other one leaves. */
static void keep_apart(struct irs_thread *self, uint32_t other, int here)
{
    cpu_set_t cores = everywhere;

    if (self->index > other) {
        CPU_CLR(here, &cores);
    } else {
        CPU_ZERO(&cores);
        CPU_SET(here, &cores);
    }
    keep_to(self, &cores);
    self->in_vain = self->without_spin = 0;
}

/*
 * After a sleep for another thread: looks back at the last ones now and then. Who has computed much
 * is not kept where it is until then: those who compute long sleep rarely.
 */
void irs_choose_place(struct irs_thread *self, uint32_t other, uint64_t now)
{
    uint64_t idle = self->waited_ns + self->woke_ns; /* that may take longer than to compute */
    uint64_t passed = now - self->looked_at_ns, computed = passed - (idle - self->idle_before_ns);
    int here = sched_getcpu();
    bool little;

    atomic_store_explicit(&irs_parks[self->index].core, here, memory_order_relaxed);
    if (self->placed && computed > (uint64_t)SLEEPS * MUCH_NS)
        irs_leave_place(self);
    if (++self->sleeps % SLEEPS != 0)
        return;
    little = self->sleeps > SLEEPS && computed < (uint64_t)SLEEPS * LITTLE_NS;
    self->looked_at_ns = now;
    self->idle_before_ns = idle;
    if (!little)
        return;
    if (crowded) {
        if (!self->placed && computed * irs_plan.active < passed) /* one core is enough for all */
            go_home(self);
    } else if (atomic_load_explicit(&irs_parks[other].core, memory_order_relaxed) == here) {
        keep_apart(self, other, here);
    }
}
