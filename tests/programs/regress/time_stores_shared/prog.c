/* time stores where another thread reads. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static time_t now = -1;

static void *asks(void *arg)
{
    time(&now);
    return arg;
}

int main(void)
{
    pthread_t t;
    time_t once, again;

    pthread_create(&t, 0, asks, 0);
    once = now;
    again = now;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
