/* A cancellation that comes about when its thread ends: either result is possible. */
#include <assert.h>
#include <pthread.h>

static void *work(void *argument)
{
    pthread_testcancel();
    return argument;
}

int main(void)
{
    static int own;
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, &own);
    pthread_cancel(thread);
    pthread_join(thread, &result);
#if defined(CANCELLED)
    assert(result == PTHREAD_CANCELED);
#elif defined(RETURNED)
    assert(result == &own);
#else
    assert(result == PTHREAD_CANCELED || result == &own);
#endif
    return 0;
}
