/* Initialisation with a test before the mutex and a test after it. -DONCE leaves out the second
   test: it runs twice. -DEARLY sets the flag before the data: others see half of it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, data, runs;

static void initialise(void)
{
    runs++;
#ifdef EARLY
    ready = 1;
    data = 42;
#else
    data = 42;
    ready = 1;
#endif
}

static int get(void)
{
    if (!ready) {
        pthread_mutex_lock(&m);
#ifndef ONCE
        if (!ready)
#endif
            initialise();
        pthread_mutex_unlock(&m);
    }
    return data;
}

static void *user(void *arg)
{
    (void)arg;
    assert(get() == 42);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(runs == 1);
    return 0;
}
