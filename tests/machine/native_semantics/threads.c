/* Turns. Only the thread whose turn it is moves; the others sleep in the system until it is theirs. */

#include "threads.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "choice.h"
#include "futexes.h"
#include "run.h"

#define TIMES_OUT 200 /* of so many turns one lets somebody's time run out, if he has any */

struct thread threads[MOST_THREADS];
int thread_count;

static int born;   /* threads that have been started, and may not have come yet */
static long dying; /* a thread that has made its last step */

long raw(long number, long a, long b, long c, long d)
{
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}

static void sleep_while(int *word, int value)
{
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
        raw(SYS_futex, (long)word, FUTEX_WAIT, value, 0);
}

static void announce(int *word, int value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
    raw(SYS_futex, (long)word, FUTEX_WAKE, MOST_THREADS, 0);
}

/* -------------------------------------------------------------------- turns */

int thread_living(void)
{
    int alive = 0;
    for (int k = 0; k < thread_count; k++)
        alive += threads[k].state != GONE;
    return alive;
}

static int in_state(enum state state, int *found)
{
    int count = 0;
    for (int k = 0; k < thread_count; k++)
        if (threads[k].state == state)
            found[count++] = k;
    return count;
}

static int next(void)
{
    int ready[MOST_THREADS], count = in_state(READY, ready);
    if (count == 0 || choice_draw(&choice, TIMES_OUT) == 0)
        if (futex_time_out())
            count = in_state(READY, ready);
    if (count == 0)
        finish("deadlock");
    return choice_next(&choice, ready, count);
}

/* A thread that has ended has to be gone before another one moves. */
static void see_off(void)
{
    long process = raw(SYS_getpid, 0, 0, 0, 0);
    for (int looks = 0; raw(SYS_tgkill, process, dying, 0, 0) == 0; looks++) {
        if (dying == process && looks > 100) /* is there to be seen until the process ends */
            break;
        raw(SYS_sched_yield, 0, 0, 0, 0);
    }
    dying = 0;
    futex_look_around();
}

static void await_turn(int me)
{
    sleep_while(&threads[me].go, 0);
    threads[me].go = 0;
    if (dying)
        see_off();
    if (threads[me].state != READY)
        thread_give_turns(me);
}

void thread_give_turns(int me)
{
    int who = next();
    if (who == me)
        return;
    run->switches++;
    announce(&threads[who].go, 1);
    await_turn(me);
}

void thread_end(int me)
{
    int others[MOST_THREADS];
    threads[me].state = GONE;
    threads[me].gone = 1;
    dying = threads[me].id;
    if (in_state(READY, others))
        announce(&threads[next()].go, 1);
    else if (in_state(WAITING, others)) /* who waits for the end, or will find a deadlock */
        announce(&threads[others[0]].go, 1);
}

void thread_join(int me, uint64_t self)
{
    for (int k = 0; k < thread_count; k++)
        if (threads[k].self == self)
            futex(me, &threads[k].gone, FUTEX_WAIT, 0, 0, 0);
}

/* ------------------------------------------------------------------- coming */

static uint64_t register_fs(void)
{
    uint64_t self;
    __asm__("mov %%fs:0, %0" : "=r"(self));
    return self;
}

struct thread *thread_expect(void)
{
    if (born == MOST_THREADS)
        finish("limit");
    return &threads[born++];
}

void thread_await_born(void)
{
    while (__atomic_load_n(&thread_count, __ATOMIC_SEQ_CST) < born)
        sleep_while(&thread_count, born - 1);
}

int thread_arrive(int number)
{
    threads[number].self = register_fs();
    threads[number].id = raw(SYS_gettid, 0, 0, 0, 0);
    announce(&thread_count, number + 1);
    if (number)
        await_turn(number);
    return number;
}

int thread_self(void)
{
    uint64_t self = register_fs();
    for (int k = 0; k < thread_count; k++)
        if (threads[k].self == self && threads[k].state != GONE)
            return k;
    if (thread_count == 0)
        thread_expect();
    return thread_arrive(born - 1);
}
