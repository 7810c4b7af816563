/* A value goes from one stage to the next, each with its own mutex; the reader may look in between.
   -DNESTED holds the first mutex until the second stage is done. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m1);
    first = 1;
#ifndef NESTED
    pthread_mutex_unlock(&m1);
#endif
    pthread_mutex_lock(&m2);
    second = 2;
    pthread_mutex_unlock(&m2);
#ifdef NESTED
    pthread_mutex_unlock(&m1);
#endif
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m1);
    int a = first;
    pthread_mutex_unlock(&m1);
    if (a == 0)
        return NULL;
    pthread_mutex_lock(&m2);
    int b = second;
    pthread_mutex_unlock(&m2);
    assert(b == a + 1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
