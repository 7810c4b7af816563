/* Threads that read x under a lock: the order of the critical sections is all there is. -DTHREADS=N */
#include <pthread.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *arg)
{
    int seen;

    pthread_mutex_lock(&lock);
    seen = x;
    pthread_mutex_unlock(&lock);
    (void)seen;
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
