/* Two counters that endless threads keep equal under a mutex, although both grow and wrap around.
   -DBROKEN lets go of the mutex in between. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef COUNTER
#define COUNTER unsigned
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static COUNTER x, y;

static void *count(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        x++;
#ifdef BROKEN
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
#endif
        y++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        assert(x == y);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, count, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_create(&t[2], NULL, check, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
