/*
 * Functions that store what they found out in memory that others use. They ask in their first
 * event, on memory of our own; what of the answer is not stored then is stored in another event.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <semaphore.h>
#include <sys/time.h>
#include <time.h>

int irs_sem_getvalue(sem_t *semaphore, int *value)
{
    uint32_t site = irs_self->site;
    int found, failed;

    irs_pass(irs_self, site);
    failed = sem_getvalue(semaphore, &found);
    irs_done(irs_self);
    irs_pass(irs_self, site);
    if (!failed)
        *value = found;
    irs_done(irs_self);
    return failed;
}

_Static_assert(sizeof(struct timespec) == 2 * sizeof(long), "a time has two members");
_Static_assert(sizeof(struct timeval) == 2 * sizeof(long), "a time has two members");

/* The first member is stored in the event that is going on, the second in another. */
static void store_time(uint32_t site, void *place, const void *time)
{
    const long *found = time;
    long *stored = place;

    if (stored != NULL)
        stored[0] = found[0];
    irs_done(irs_self);
    irs_pass(irs_self, site);
    if (stored != NULL)
        stored[1] = found[1];
    irs_done(irs_self);
}

int irs_clock_gettime(clockid_t clock, struct timespec *time)
{
    uint32_t site = irs_self->site;
    struct timespec found;
    int failed;

    irs_pass(irs_self, site);
    failed = clock_gettime(clock, &found);
    store_time(site, failed ? NULL : time, &found);
    return failed;
}

int irs_timespec_get(struct timespec *time, int base)
{
    uint32_t site = irs_self->site;
    struct timespec found;
    int result;

    irs_pass(irs_self, site);
    result = timespec_get(&found, base);
    store_time(site, result ? time : NULL, &found);
    return result;
}

/* What is stored as the time zone is open, and was not verified: nothing is. */
int irs_gettimeofday(struct timeval *time, void *zone)
{
    uint32_t site = irs_self->site;
    struct timeval found;

    (void)zone;
    irs_pass(irs_self, site);
    gettimeofday(&found, NULL);
    store_time(site, time, &found);
    return 0;
}
