/* As long as cancellation is disabled a request waits; the next point after that grants it. */
#include <assert.h>
#include <pthread.h>

static int asked, passed;

static void *work(void *unused)
{
    int before;

    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
    assert(before == PTHREAD_CANCEL_ENABLE);
    while (!__atomic_load_n(&asked, __ATOMIC_SEQ_CST))
        pthread_testcancel();
    passed = 1;
    assert(pthread_setcancelstate(before, &before) == 0);
    assert(before == PTHREAD_CANCEL_DISABLE);
    passed = 2;
    pthread_testcancel();
    passed = 3;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    __atomic_store_n(&asked, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, &result);
#ifdef EARLY
    assert(passed == 3);
#else
    assert(passed == 2 && result == PTHREAD_CANCELED);
#endif
    return 0;
}
