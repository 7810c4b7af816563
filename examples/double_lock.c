/*
 * Two threads that take two locks, both in the same order.
 *
 * What to see: safe, no deadlock. Compare double_lock_wrong.c.
 *
 * Parameters: -DROUNDS=R  each thread does R rounds (default: endless)
 *
 * From: Metzler, Verification and Enforcement of Safe Schedules, the corrected
 * form of figure 4.10 (benchmark "double lock").
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ROUNDS
#define REPEAT for (int r = 0; r < ROUNDS; r++)
#else
#define REPEAT while (1)
#endif

static pthread_mutex_t mutex1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex2 = PTHREAD_MUTEX_INITIALIZER;
static int owner;

static void critical_section(int id)
{
    owner = id;
    assert(owner == id);
}

static void *first(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&mutex1);
        pthread_mutex_lock(&mutex2);
        critical_section(1);
        pthread_mutex_unlock(&mutex2);
        pthread_mutex_unlock(&mutex1);
    }
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;

    REPEAT {
        pthread_mutex_lock(&mutex1);
        pthread_mutex_lock(&mutex2);
        critical_section(2);
        pthread_mutex_unlock(&mutex2);
        pthread_mutex_unlock(&mutex1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
