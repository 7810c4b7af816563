/* The clock is stored in two members: one has been written, the other not yet. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec now = {-1, -1};

static void *asks(void *arg)
{
    clock_gettime(CLOCK_MONOTONIC, &now);
    return arg;
}

int main(void)
{
    pthread_t t;
    long nanoseconds, seconds, nanoseconds_again;

    pthread_create(&t, 0, asks, 0);
    nanoseconds = now.tv_nsec;
    seconds = now.tv_sec;
    nanoseconds_again = now.tv_nsec;
    pthread_join(t, 0);
    assert(seconds == -1 ? nanoseconds == -1 : nanoseconds_again != -1);
    return 0;
}
