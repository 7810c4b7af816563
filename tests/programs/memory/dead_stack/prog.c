/* The argument of the thread lives in a function that returns. */
#include <pthread.h>
#include <stddef.h>

static pthread_t t;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static void start(void)
{
    int local = 0;

    pthread_create(&t, NULL, run, &local);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#ifdef WAIT
    pthread_join(t, NULL);
#endif
}

int main(void)
{
    start();
#ifndef WAIT
    pthread_join(t, NULL);
#endif
    return 0;
}
