/* Errors of a thread that has read what two sections of a lock have written, one of which is over and
 * one of which is not: execution graphs that leave sections unordered have to put both in order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *unused)
{
    pthread_mutex_lock(&m);
    y = 1;
    y = 0;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&m);
    y = 2;
#ifdef RACES
    y = 0;
#else
    pthread_mutex_lock(&n);
    x = 1;
    pthread_mutex_unlock(&n);
#endif
    pthread_mutex_unlock(&m);
    return unused;
}

static void *reader(void *unused)
{
#ifndef RACES
    pthread_mutex_lock(&n);
#endif
    int a = y, b = y;
#ifdef HANGS
    if (a == 1 && b == 2)
        pthread_mutex_lock(&n);
#else
    assert(!(a == 1 && b == 2));
#endif
#ifndef RACES
    pthread_mutex_unlock(&n);
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
}
