/*
 * Where threads run. Those that only hand over to each other are better off on one core: waking a
 * thread there is a switch, waking one on a core that has gone to sleep takes ten times as long.
 * A thread moves there when it sleeps often and computes little in between, and back when it
 * computes more.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <sched.h>
#include <stdbool.h>

enum { SLEEPS = 64, LITTLE_NS = 5000, MUCH_NS = 20000 }; /* computed between two sleeps */

static _Atomic int home = -1;
static cpu_set_t everywhere;
static bool crowded; /* else it is faster to spin for each other, each on a core of its own */

void irs_start_places(void)
{
    crowded = irs_plan.threads > (uint32_t)irs_cores + 1;
    sched_getaffinity(0, sizeof everywhere, &everywhere);
}

static int common_core(void)
{
    int none = -1, here = sched_getcpu();

    return atomic_compare_exchange_strong(&home, &none, here) ? here : none;
}

/* Back to all cores that the process may use. */
void irs_leave_home(struct irs_thread *self)
{
    if (self->at_home)
        sched_setaffinity(0, sizeof everywhere, &everywhere);
    self->at_home = false;
}

/*
 * After a sleep: looks back at the last ones now and then. Who has computed much is not kept on the
 * common core until then: those who compute long sleep rarely.
 */
void irs_choose_place(struct irs_thread *self, uint64_t now)
{
    uint64_t computed, idle;
    cpu_set_t one;

    if (!crowded)
        return;
    idle = self->waited_ns + self->woke_ns; /* to wake others may take longer than to compute */
    computed = now - self->looked_at_ns - (idle - self->idle_before_ns);
    if (self->at_home && computed > (uint64_t)SLEEPS * MUCH_NS)
        irs_leave_home(self);
    if (++self->sleeps % SLEEPS != 0)
        return;
    self->looked_at_ns = now;
    self->idle_before_ns = idle;
    if (!self->at_home && self->sleeps > SLEEPS && computed < (uint64_t)SLEEPS * LITTLE_NS) {
        CPU_ZERO(&one);
        CPU_SET(common_core(), &one);
        self->at_home = sched_setaffinity(0, sizeof one, &one) == 0;
    }
}
