/* Two accesses of one variable, one of them a write, and nothing between them. */
#include <pthread.h>
#include <stddef.h>

static QUALIFIER int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    (void)arg;
#ifdef LOCKED
    pthread_mutex_lock(&m);
#endif
    THREAD;
#ifdef LOCKED
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
#ifdef LOCKED
    pthread_mutex_lock(&LOCKED);
#endif
    MAIN;
#ifdef LOCKED
    pthread_mutex_unlock(&LOCKED);
#endif
    pthread_join(t, NULL);
    return 0;
}
