/* A thread that waits for a lock is no deadlock when main ends the program. */
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

    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, run, NULL);
#ifdef EXIT_THREAD
    pthread_exit(NULL);
#endif
    return 0;
}
