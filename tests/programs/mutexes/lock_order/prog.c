/* Two threads, two locks: in the same order they are fine, in opposite orders they may deadlock. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    pthread_mutex_t *first = arg == &b ? &b : &a;
    pthread_mutex_t *second = arg == &b ? &a : &b;

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, run, &a);
    pthread_create(&t[1], NULL, run, SECOND);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
