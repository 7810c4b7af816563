/* Steps through the program that it is linked with, one instruction of one thread at a time.

   The processor's trap flag is set: before every instruction a signal comes, and in its handler a
   thread passes its turn on and waits for the next one. The handler calls no C library, for the
   thread may be in the middle of it. In most runs threads are made, end and are joined without being
   stepped through; in coarse runs nobody is interrupted in a library at all. */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "calls.h"
#include "choice.h"
#include "decode.h"
#include "run.h"
#include "threads.h"

#define TRAP_FLAG 0x100

static int stepping;
extern char __start_program[], __stop_program[]; /* by the linker */
extern char step_landing[];

__asm__("step_landing: int3");

/* What programs may call that takes long and never waits. */
#pragma weak sprintf
#pragma weak snprintf
#pragma weak sscanf
#pragma weak qsort

static int takes_long(greg_t place)
{
    void *const functions[] = {sprintf, snprintf, sscanf, qsort};
    for (int k = 0; k < 4; k++)
        if (place == (greg_t)functions[k])
            return 1;
    return 0;
}

static enum place place_of(const unsigned char *code)
{
    int own = code >= (unsigned char *)__start_program && code < (unsigned char *)__stop_program;
    if (is_call(code))
        return SYSTEM;
    return own ? (touches(code) ? OWN : QUIET) : touches(code) ? LIBRARY : QUIET_LIBRARY;
}

/* Leaves a call alone: it returns to a breakpoint instead of its caller. */
static void skip(struct thread *t, greg_t *r)
{
    uint64_t *top = (uint64_t *)r[REG_RSP];
    if (!choice.coarse || !takes_long(r[REG_RIP]) || *top == (uint64_t)step_landing)
        return;
    t->back = *top;
    *top = (uint64_t)step_landing;
    r[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    greg_t *r = u->uc_mcontext.gregs;
    (void)number, (void)info;
    int me = thread_self();
    if (r[REG_RIP] == (greg_t)step_landing + 1) {
        r[REG_RIP] = (greg_t)threads[me].back;
        r[REG_EFL] |= TRAP_FLAG;
    }
    thread_await_born();
    if (++run->steps > run->limit)
        finish("limit");
    const unsigned char *code = (unsigned char *)r[REG_RIP];
    choice_stepped(&choice, place_of(code));
    run->noticed = choice.noticed;
    thread_give_turns(me);
    if (is_call(code))
        perform(me, u);
    else
        skip(&threads[me], r);
    if (!stepping)
        r[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static void set_flag(void)
{
    __asm__ volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "cc", "memory");
}

static void clear_flag(void)
{
    __asm__ volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "cc", "memory");
}

static void begin(void)
{
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    if (stepping)
        return;
    stepping = 1;
    if (thread_count == 0)
        thread_self();
    sigaction(SIGTRAP, &trap, 0);
}

static void *start(void *argument)
{
    struct thread *t = argument;
    int me = thread_arrive((int)(t - threads));
    set_flag();
    void *result = threads[me].routine(threads[me].argument);
    clear_flag();
    thread_end(me);
    return result;
}

int step_create(pthread_t *t, const pthread_attr_t *how, void *(*routine)(void *), void *argument)
{
    clear_flag();
    begin();
    if (!choice.whole) {
        set_flag();
        return pthread_create(t, how, routine, argument);
    }
    struct thread *new = thread_expect();
    new->routine = routine;
    new->argument = argument;
    int error = pthread_create(t, how, start, new);
    thread_await_born();
    set_flag();
    return error;
}

int step_join(pthread_t t, void **result)
{
    if (!choice.whole || !stepping)
        return pthread_join(t, result);
    clear_flag();
    thread_join(thread_self(), (uint64_t)t);
    int error = pthread_join(t, result);
    set_flag();
    return error;
}

void step_off(void)
{
    stepping = stepping && thread_living() > 1;
}
