/* Three threads and one mutex: two add to a sum that the third one checks. Whether LIMIT is
   exceeded depends on nothing but the order of the critical sections. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add_one(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    sum++;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *add_two(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    sum += 2;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    assert(sum <= LIMIT);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, add_one, NULL);
    pthread_create(&t[1], NULL, add_two, NULL);
    pthread_create(&t[2], NULL, check, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
