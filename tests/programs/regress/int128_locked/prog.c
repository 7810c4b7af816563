/* An __int128 under a lock. */
#include <assert.h>
#include <pthread.h>

static __int128 g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    g -= 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    __int128 seen;

    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m);
    seen = g;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(seen == 0 || seen == -1);
    return 0;
}
