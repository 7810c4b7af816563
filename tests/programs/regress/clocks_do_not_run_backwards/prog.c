/* What a thread is told by a clock is not earlier than what it was told before. */
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    time_t earlier, later;

    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    earlier = time(0);
    later = time(0);
    assert(later >= earlier);
    return 0;
}
