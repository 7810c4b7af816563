/* A thread that sleeps in a loop until somebody cancels it; then its handler runs. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int cleaned;

static void clean(void *unused)
{
    cleaned++;
}

static void *tick(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    for (;;)
        sleep(1);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, tick, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
#ifdef NEVER
    assert(!cleaned);
#else
    assert(cleaned <= 1);
#endif
    return 0;
}
