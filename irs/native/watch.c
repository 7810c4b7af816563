/*
 * Threads that wait where the run-time does not see it: in the C library, for a lock that nobody
 * will give back. Linux tells which system call a thread is in. When all threads are in calls that
 * only another of them could end, and nothing has moved for the watchdog's time, nothing ever will.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <dirent.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, LOCK_ADDRESS_AND_OWNER = 12 };

static bool read_task(int tid, const char *what, char *text, size_t room)
{
    char path[64];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "/proc/self/task/%d/%s", tid, what);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    n = fread(text, 1, room - 1, file);
    fclose(file);
    text[n] = '\0';
    return n > 0;
}

/* Whether a thread waits, for ever, until another one wakes it; where. */
static bool is_in_futex(const char *call, uintptr_t *address)
{
    unsigned long number, word, operation, value, limit;

    if (sscanf(call, "%lu %lx %lx %lx %lx", &number, &word, &operation, &value, &limit) != 5)
        return false;
    *address = word;
    if (number != SYS_futex || limit != 0 || !(operation & FUTEX_PRIVATE_FLAG))
        return false; /* time, or another process, may end it */
    operation &= FUTEX_CMD_MASK;
    return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET
           || operation == FUTEX_LOCK_PI;
}

/* The latest thread that the system has given this number. */
static struct irs_thread *known(int tid)
{
    struct irs_thread *t = atomic_load(&irs_threads);

    while (t && atomic_load(&t->tid) != tid)
        t = t->another;
    return t;
}

/* The thread that holds the lock at an address, if it is one; its number is beside the lock. */
static struct irs_thread *holder(uintptr_t address)
{
    int owner = 0;

#ifdef __GLIBC__
    if (address % PAGE <= PAGE - LOCK_ADDRESS_AND_OWNER)
        owner = __atomic_load_n(&((pthread_mutex_t *)address)->__data.__owner, __ATOMIC_RELAXED);
#endif
    return owner > 0 ? known(owner) : NULL;
}

void irs_describe_in_library(const struct irs_thread *thread, char *line, size_t room)
{
    const struct irs_thread *other;
    char call[256];
    uintptr_t address;

    /* All fibers run in the process's first thread. */
    if (!read_task(irs_fibers ? getpid() : atomic_load(&thread->tid), "syscall", call, sizeof call)
        || !is_in_futex(call, &address))
        snprintf(line, room, "%s is running", thread->name);
    else if ((other = holder(address)) == NULL)
        snprintf(line, room, "%s waits for another thread", thread->name);
    else
        snprintf(line, room, "%s waits for a lock that %s %s", thread->name, other->name,
                 atomic_load(&other->rest) == IRS_OVER ? "held when it ended" : "holds");
}

/* How often a thread has gone to sleep by itself. */
static uint64_t times_asleep(int tid)
{
    char status[4096];
    const char *found;

    if (!read_task(tid, "status", status, sizeof status))
        return 0;
    found = strstr(status, "\nvoluntary_ctxt_switches:");
    return found ? strtoull(found + sizeof "\nvoluntary_ctxt_switches:" - 1, NULL, 10) : 0;
}

/* Whether a thread can only go on if another one lets it; what has changed if it has moved. */
static bool waits(int tid, uint64_t *moved)
{
    struct irs_thread *thread = irs_fibers ? NULL : known(tid);
    char call[256];
    uintptr_t address;

    if (thread != NULL && atomic_load(&thread->rest) == IRS_OVER)
        return true;
    if (!read_task(tid, "syscall", call, sizeof call) || strncmp(call, "running", 7) == 0)
        return false;
    if (thread != NULL && atomic_load(&thread->rest) != IRS_BUSY)
        return true; /* it looks again from time to time, which is no move */
    *moved += times_asleep(tid);
    return is_in_futex(call, &address);
}

/* Called by the keeper from time to time: whether all threads wait, and what they have done. */
static bool all_wait(uint64_t *moved)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    int self = (int)syscall(SYS_gettid);
    bool all = tasks != NULL;

    *moved = (uint64_t)irs_progress();
    while (all && (entry = readdir(tasks)) != NULL) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && tid != self && tid != atomic_load(&irs_relaxing_tid)) {
            all = waits(tid, moved);
            *moved += (uint64_t)tid << 32;
        }
    }
    if (tasks != NULL)
        closedir(tasks);
    return all;
}

/* Twice the same, and nobody has been awake between: all waited at once, so they always will. */
bool irs_all_wait(void)
{
    uint64_t before, after;

    return all_wait(&before) && all_wait(&after) && before == after;
}

/* Who sleeps at a gate looks again after the watchdog's time; it has to have had its chance. */
void irs_look_for_deadlock(void)
{
    static uint64_t last, since;
    const uint64_t limit = (uint64_t)irs_watchdog_s * 1250000000u;
    uint64_t moved, now = irs_now();
    bool all = all_wait(&moved);

    if (irs_fibers && irs_is_one_at_a_gate())
        irs_look_for_stall();
    if (!all || moved != last)
        since = now;
    last = moved;
    if (all && now - since >= limit)
        irs_stall(irs_watchdog_s);
}
