/* A thread that has ended can be cancelled until it is joined, without effect. */
#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *argument)
{
    done = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, &done);
#ifdef JOINED
    pthread_join(thread, &result);
#endif
    assert(pthread_cancel(thread) == 0);
#ifndef JOINED
    pthread_join(thread, &result);
#endif
    assert(result == &done);
    return 0;
}
