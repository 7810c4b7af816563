/* Calls that decide who can move are done here; all others are left to the system. */

#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "choice.h"
#include "futexes.h"
#include "threads.h"

#define LENGTH 2 /* of the instruction */

/* Who blocks the signal of traps would be killed at the next instruction. */
static void change_mask(ucontext_t *u, long how, const uint64_t *set, uint64_t *old)
{
    uint64_t *mask = (uint64_t *)&u->uc_sigmask;
    if (old)
        *old = *mask;
    if (set)
        *mask = how == SIG_BLOCK ? *mask | *set : how == SIG_UNBLOCK ? *mask & ~*set : *set;
    *mask &= ~(1ULL << (SIGTRAP - 1));
}

void perform(int me, ucontext_t *u)
{
    greg_t *r = u->uc_mcontext.gregs;
    switch (r[REG_RAX]) {
    case SYS_futex:
        r[REG_RAX] = futex(me, (uint32_t *)r[REG_RDI], (int)r[REG_RSI], (uint32_t)r[REG_RDX],
                           r[REG_R10], (uint32_t *)r[REG_R8]);
        break;
    case SYS_rt_sigprocmask:
        change_mask(u, r[REG_RDI], (uint64_t *)r[REG_RSI], (uint64_t *)r[REG_RDX]);
        r[REG_RAX] = 0;
        break;
    case SYS_clone3:
        r[REG_RAX] = -ENOSYS; /* libraries then take the other one */
        break;
    case SYS_clone:
        if (r[REG_RDI] & CLONE_THREAD)
            thread_expect();
        return;
    case SYS_exit:
        thread_end(me);
        return;
    case SYS_exit_group:
        r[REG_EFL] &= ~(greg_t)0x100;
        return;
    default:
        return;
    }
    r[REG_RIP] += LENGTH;
}
