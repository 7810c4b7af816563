/* Before main: the schedule is loaded, and the main thread stands at its first event. */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void irs_start_threads(void);
extern int irs_watchdog_s;
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

/*
 * Ends the run when its time is over, or when the user asks; what was recorded is written. All
 * other signals are for the program's threads.
 */
static void *keeper(void *signals)
{
    uint64_t end = irs_now() + (uint64_t)(1e9 * seconds), now;
    sigset_t all;
    int signal;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    do {
        now = irs_now();
        if (seconds > 0) {
            uint64_t ns = now < end ? end - now : 0;
            struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
            signal = sigtimedwait(signals, NULL, &left);
        } else {
            signal = sigwaitinfo(signals, NULL);
        }
    } while (signal < 0 && errno == EINTR); /* stopped and continued */
    irs_finish(signal > 0 ? 128 + signal : 0);
}

static void start_keeper(void)
{
    static sigset_t signals;
    pthread_t thread;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (pthread_create(&thread, NULL, keeper, &signals) != 0)
        irs_refuse("cannot start the thread that ends the run");
    pthread_detach(thread);
}

__attribute__((constructor(101))) static void start(void)
{
    irs_load_plan();
    irs_cores = count_cores();
    irs_start_places();
    /* With more threads than cores threads sleep often, and a barrier for all costs more. */
    irs_asymmetric = irs_plan.threads <= (uint32_t)irs_cores + 1
                     && syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0)
                            == 0;
    irs_watchdog_s = (int)ceil(number("IRS_WATCHDOG", 10, 0));
    seconds = number("IRS_SECONDS", 0, 1e-9);
    irs_start_records();
    irs_start_threads();
    if (seconds > 0 || getenv("IRS_TRACE") != NULL || getenv("IRS_STATS") != NULL)
        start_keeper();
    atexit(irs_write_records);
}
