/* A long double under a lock. */
#include <assert.h>
#include <pthread.h>

static long double g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    g = g + 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    writer(0);
    pthread_join(t, 0);
    assert(g == 2);
    return 0;
}
