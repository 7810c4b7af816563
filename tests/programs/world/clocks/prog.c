/* Times are any numbers that a clock can show. */
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    struct timespec now, pause = {0, 1000};
    struct timeval day;

    assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    assert(now.tv_sec >= 0 && now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    gettimeofday(&day, NULL);
    assert(day.tv_sec >= 0 && day.tv_usec >= 0 && day.tv_usec < 1000000);
#ifdef LATE
    assert(day.tv_sec < 100000);
#endif
    assert(nanosleep(&pause, NULL) == 0 && time(NULL) >= 0);
    return 0;
}
