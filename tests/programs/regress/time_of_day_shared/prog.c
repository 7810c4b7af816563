/* gettimeofday stores where another thread reads. */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>

static struct timeval now = {-1, -1};

static void *asks(void *arg)
{
    gettimeofday(&now, 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    long once, again;

    pthread_create(&t, 0, asks, 0);
    once = now.tv_sec;
    again = now.tv_sec;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
