/* Main joins a thread that waits for a mutex main holds. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
