/* A thread that cancels itself goes on to its next cancellation point. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int came;

static void *work(void *unused)
{
    assert(pthread_cancel(pthread_self()) == 0);
    came = 1;
    sleep(1);
    came = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
#ifdef AT_ONCE
    assert(came == 0);
#else
    assert(came == 1);
#endif
    return 0;
}
