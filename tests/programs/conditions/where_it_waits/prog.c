/* Only a wait in a loop that tests again is safe from wake-ups without a signal. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready, closed;
static int seen;

static bool empty(void)
{
    bool found = !ready;

    return found;
}

static void wait_a_while(void)
{
    pthread_cond_wait(&c, &m);
}

static void *waiter(void *arg)
{
    int error = 0;

    (void)arg;
    (void)error;
    (void)empty;
    (void)wait_a_while;
    pthread_mutex_lock(&m);
#if HOW == 0 /* the textbook */
    while (!ready)
        pthread_cond_wait(&c, &m);
#elif HOW == 1 /* by a function that only looks */
    while (empty())
        pthread_cond_wait(&c, &m);
#elif HOW == 2 /* several conditions, and the result is kept */
    while (!closed && !ready && error == 0)
        error = pthread_cond_wait(&c, &m);
#elif HOW == 3 /* the test is in the middle */
    for (;;) {
        if (ready)
            break;
        pthread_cond_wait(&c, &m);
    }
#elif HOW == 4 /* behind a function that does nothing else, and is called in the loop only */
    while (!ready)
        wait_a_while();
#elif HOW == 5 /* something is done before the test */
    while (!ready) {
        pthread_cond_wait(&c, &m);
        seen = 1;
    }
#elif HOW == 6 /* a loop, but not one that tests */
    for (int i = 0; i < 1; i++)
        if (!ready)
            pthread_cond_wait(&c, &m);
#elif HOW == 7 /* the test is of something else */
    for (int i = 0; i < 1; i++) {
        if (!ready)
            pthread_cond_wait(&c, &m);
        seen = 1;
        if (closed)
            break;
    }
#elif HOW == 8 /* behind a function that is not called in a loop */
    if (!ready)
        wait_a_while();
#elif HOW == 9 /* no test at all: and nobody may count on a wake-up without a signal */
    pthread_cond_wait(&c, &m);
#endif
    assert(ready);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    ready = true;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
