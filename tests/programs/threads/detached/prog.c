/* Nobody waits for a detached thread: it may or may not have run when main looks. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;

    pthread_attr_init(&attr);
#ifdef ATTRIBUTE
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, run, NULL);
#else
    pthread_create(&t, NULL, run, NULL);
    assert(pthread_detach(t) == 0);
#endif
    assert(x == EXPECTED);
    return 0;
}
