/*
 * Threads that end before their functions do: pthread_exit, handlers of pthread_cleanup_push, and
 * cancellation in its deferred form. A request is a mark, which its thread looks at in gates, where
 * the verifier says so (imc/program/library/cancellation.py). The C library never hears of it.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <threads.h>
#include <time.h>

enum { LOOK_NS = 20000000 }; /* between two looks, where nothing is ordered */

/* ------------------------------------------------------------------------- the way out */

/* A handler's place, as setjmp has filled it; in what is left, the library keeps the one before. */
static void **outer(void *handler)
{
    return &((__pthread_unwind_buf_t *)handler)->__pad[0];
}

void irs_cleanup_push(__pthread_unwind_buf_t *handler)
{
    *outer(handler) = irs_self->handlers;
    irs_self->handlers = handler;
}

void irs_cleanup_pop(__pthread_unwind_buf_t *handler)
{
    irs_self->handlers = *outer(handler);
}

void irs_begin_exit(void)
{
    irs_self->exiting = true;
    irs_take_back(irs_self->handlers);
}

/* Goes to the last handler, which comes back by irs_unwind_next; without one, the thread ends. */
_Noreturn void irs_leave_thread(void *result)
{
    struct irs_thread *self = irs_self;
    __pthread_unwind_buf_t *handler = self->handlers;

    self->result = result;
    if (handler != NULL) {
        self->handlers = *outer(handler);
        longjmp((struct __jmp_buf_tag *)(void *)handler->__cancel_jmp_buf, 1);
    }
    irs_run_end(self);
    if (irs_fibers)
        irs_end_fiber(result);
    pthread_exit(result);
}

_Noreturn void irs_unwind_next(void *handler)
{
    (void)handler;
    irs_begin_exit(); /* again, unless it has no gate */
    irs_leave_thread(irs_self->result);
}

_Noreturn void irs_pthread_exit(void *result)
{
    irs_begin_exit();
    irs_leave_thread(result);
}

_Noreturn void irs_thrd_exit(int result)
{
    irs_pthread_exit((void *)(intptr_t)result);
}

/* ---------------------------------------------------------------------------- requests */

/* Handles are used again. A thread that was made a moment ago may not have told its own yet. */
static struct irs_thread *with_handle(pthread_t handle)
{
    const struct irs_thread *made = atomic_load(&irs_threads);

    for (; made != NULL; made = made->another)
        while (atomic_load(&made->handle) == 0)
            sched_yield();
    return irs_with_handle((uint64_t)handle);
}

int irs_pthread_cancel(pthread_t handle)
{
    struct irs_thread *other = with_handle(handle);

    if (other == NULL)
        return ESRCH;
    irs_begin(IRS_NONE);
    atomic_store(&other->cancelled, 1);
    irs_end(IRS_NONE);
    irs_end_nap(other);
    return 0;
}

bool irs_can_be_cancelled(const struct irs_thread *self)
{
    return self->cancel_state == PTHREAD_CANCEL_ENABLE && !self->exiting;
}

bool irs_is_cancelled(const struct irs_thread *self)
{
    return irs_can_be_cancelled(self) && atomic_load(&self->cancelled);
}

static int exchange(int *kept, int new, int *old)
{
    if (new != 0 && new != 1)
        return EINVAL;
    if (old != NULL)
        *old = *kept;
    *kept = new;
    return 0;
}

int irs_set_cancel_state(int new, int *old)
{
    return exchange(&irs_self->cancel_state, new, old);
}

int irs_set_cancel_type(int new, int *old)
{
    return exchange(&irs_self->cancel_type, new, old);
}

/* -------------------------------------------------------- where threads look for them */

static void pass(uint32_t site)
{
    if (site != IRS_NONE)
        irs_pass(irs_self, site);
}

static void done(uint32_t site)
{
    if (site != IRS_NONE)
        irs_done(irs_self);
}

static _Noreturn void end_here(uint32_t site)
{
    irs_begin_exit();
    done(site);
    irs_leave_thread(PTHREAD_CANCELED);
}

/* POSIX leaves open whether some functions are such points; here all of them are. */
void irs_cancellation_point(uint32_t site)
{
    pass(site);
    if (irs_is_cancelled(irs_self))
        end_here(site);
    done(site);
}

static bool takes_in_a_while(sem_t *semaphore)
{
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += LOOK_NS;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    return sem_timedwait(semaphore, &limit) == 0;
}

int irs_cancellable_sem_wait(sem_t *semaphore)
{
    uint32_t site = irs_self->site;
    int kept = errno;

    pass(site);
    while (sem_trywait(semaphore) != 0) {
        if (irs_is_cancelled(irs_self))
            end_here(site);
        if (site != IRS_NONE && !irs_self->free)
            irs_must_wait(site, "would wait at %s");
        if (takes_in_a_while(semaphore))
            break;
    }
    errno = kept;
    done(site);
    return 0;
}

int irs_cancellable_join(pthread_t handle, void **result)
{
    uint32_t site = irs_self->site;
    const struct irs_thread *other = with_handle(handle);
    bool ordered, ended;
    int error;

    pass(site);
    ordered = site != IRS_NONE && !irs_self->free;
    ended = other == NULL || atomic_load(&other->ends);
    if (ordered && !ended && irs_is_cancelled(irs_self))
        end_here(site);
    error = irs_join(handle, result, !ordered);
    if (error == ECANCELED)
        end_here(site);
    done(site);
    return error;
}

int irs_cancellable_thrd_join(thrd_t handle, int *result)
{
    void *value = NULL;
    int error = irs_cancellable_join(handle, &value);

    if (result != NULL)
        *result = (int)(intptr_t)value;
    return error ? thrd_error : thrd_success;
}
