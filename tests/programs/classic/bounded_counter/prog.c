/* Endless threads count up to 10 and down to 0 under a mutex.
   -DBROKEN tests the limit before it takes the mutex: two threads that count up pass it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int c;

static void *up(void *arg)
{
    (void)arg;
    while (1) {
#ifdef BROKEN
        int room = c < 10;
        pthread_mutex_lock(&m);
#else
        pthread_mutex_lock(&m);
        int room = c < 10;
#endif
        if (room)
            c++;
        assert(0 <= c && c <= 10);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *down(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&m);
        if (c > 0)
            c--;
        assert(0 <= c && c <= 10);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, up, NULL);
    pthread_create(&t[1], NULL, up, NULL);
    pthread_create(&t[2], NULL, down, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
