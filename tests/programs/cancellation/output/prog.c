/* Whether printing is a cancellation point is open: both must be expected. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int printed;

static void *work(void *unused)
{
    pthread_cancel(pthread_self());
    printf("x");
    printed = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
#if defined(CANCELLED)
    assert(!printed);
#elif defined(PRINTED)
    assert(printed);
#else
    assert((result == PTHREAD_CANCELED) == !printed);
#endif
    return 0;
}
