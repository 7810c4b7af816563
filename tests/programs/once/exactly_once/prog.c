/* The routine runs once, and everybody who returns from pthread_once finds it done. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls;

static void initialise(void)
{
    calls++;
}

static void *run(void *arg)
{
    (void)arg;
    assert(pthread_once(&control, initialise) == 0);
    assert(calls == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(calls == 1);
    return 0;
}
