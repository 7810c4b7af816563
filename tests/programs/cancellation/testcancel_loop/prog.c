/* A thread that goes round until it is cancelled; without a point it would go round for ever. */
#include <assert.h>
#include <pthread.h>

static int rounds;

static void *work(void *unused)
{
    for (;;) {
        rounds = !rounds;
#ifndef DEAF
        pthread_testcancel();
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
