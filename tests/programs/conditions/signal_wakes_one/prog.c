/* A signal wakes one of two waiters, and which one is open. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER, go = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_signal(&arrived);
    pthread_cond_wait(&go, &m);
    if (first == 0)
        first = (int)(long)arg;
#ifndef ALONE
    pthread_cond_signal(&go);
#endif
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, waiter, (void *)1);
    pthread_create(&t[1], NULL, waiter, (void *)2);
    pthread_mutex_lock(&m);
    while (waiting < 2)
        pthread_cond_wait(&arrived, &m);
    WAKE(&go);
    pthread_mutex_unlock(&m);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(first == 1 || first == OTHER);
    return 0;
}
