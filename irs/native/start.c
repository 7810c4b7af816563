/* Before main: the schedule is loaded, and the main thread stands at its first event. */
#define _GNU_SOURCE
#include "runtime.h"

#include <linux/membarrier.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void irs_start_threads(void);
enum { LOOKS = 4 }; /* at the threads, in the watchdog's time */
static double seconds;

static double number(const char *variable, double otherwise, double least)
{
    const char *value = getenv(variable);
    char *end;
    double found;

    if (value == NULL || *value == '\0')
        return otherwise;
    found = strtod(value, &end);
    if (*end != '\0' || !(found >= least) || found > 1e9)
        irs_refuse("%s=%s is not a number of seconds", variable, value);
    return found;
}

static int count_cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Whether somebody wants to read what was recorded when the run is over, however it ends. */
static bool is_recorded(void)
{
    return getenv("IRS_TRACE") != NULL || getenv("IRS_STATS") != NULL
           || getenv("IRS_REPORT") != NULL;
}

static struct timespec pause_of(double left)
{
    double wait = irs_watchdog_s > 0 ? irs_watchdog_s / (double)LOOKS : 3600;

    if (seconds > 0 && left < wait)
        wait = left > 0 ? left : 0;
    return (struct timespec){(time_t)wait, (long)(1e9 * (wait - floor(wait)))};
}

/*
 * Ends the run when its time is over, when the user asks, or when nothing can move any more; what
 * was recorded is written.
 */
static void *keeper(void *signals)
{
    const uint64_t began = irs_now();

    for (;;) {
        double left = seconds - (double)(irs_now() - began) / 1e9;
        struct timespec wait = pause_of(left);
        int signal;

        if (seconds > 0 && left <= 0) {
            irs_deadlocked = irs_all_wait();
            irs_finish(0);
        }
        signal = sigtimedwait(signals, NULL, &wait);
        if (signal > 0)
            irs_finish(128 + signal);
        if (irs_watchdog_s > 0)
            irs_look_for_deadlock();
    }
}

/* It takes no signal that the program may want. */
static void start_keeper(bool ends_by_signal)
{
    static sigset_t signals;
    sigset_t all, before;
    pthread_t thread;
    int error;

    sigemptyset(&signals);
    if (ends_by_signal) {
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, NULL, keeper, &signals);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (error)
        irs_refuse("cannot start the thread that ends the run");
    pthread_detach(thread);
}

/* Who was started by somebody does not outlive them, however they end. */
static bool end_with_parent(void)
{
    const char *parent = getenv("IRS_PARENT");

    if (parent == NULL || *parent == '\0')
        return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != (pid_t)strtol(parent, NULL, 10)) /* it was over before we asked */
        _exit(128 + SIGKILL);
    unsetenv("IRS_PARENT");
    return true;
}

/* As imc run says it, which has said it already where it has started us. */
static void look_at_arguments(int count, char *const *words)
{
    const char *told = irs_plan.strings + irs_plan.told;

    if (irs_plan.threads == 0 || irs_expects(&irs_plan, count, words))
        return;
    irs_say("the schedule rests on an assumption that does not hold: the program is run %s%s",
            *told ? "with the arguments " : "without arguments", told);
}

/* The C library hands to constructors what it hands to main. */
__attribute__((constructor(101))) static void start(int count, char **words)
{
    bool is_ours = end_with_parent();

    irs_load_plan();
    if (!is_ours)
        look_at_arguments(count, words);
    irs_cores = count_cores();
    irs_start_fibers();
    irs_start_places();
    /* With more threads than cores threads sleep often, and a barrier for all costs more. */
    irs_asymmetric = irs_fibers
                     || (irs_plan.threads <= (uint32_t)irs_cores + 1
                         && syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0)
                                == 0);
    irs_watchdog_s = (int)ceil(number("IRS_WATCHDOG", 10, 0));
    seconds = number("IRS_SECONDS", 0, 1e-9);
    irs_start_records();
    irs_start_threads();
    irs_start_relaxing();
    if (seconds > 0 || is_recorded() || irs_watchdog_s > 0)
        start_keeper(seconds > 0 || is_recorded());
    atexit(irs_write_records);
}
