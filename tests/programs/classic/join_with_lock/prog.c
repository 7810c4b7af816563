/* Main waits for a thread while it holds the mutex the thread needs: a deadlock whatever comes
   first. -DRELEASED lets go of it in time. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    x++;
#ifdef RELEASED
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
#else
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
#endif
    return 0;
}
