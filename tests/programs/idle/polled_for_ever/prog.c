/* main joins a reader that polls under a lock for what never comes; nobody else is left. */
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    int seen = 0;

    while (!seen) {
        pthread_mutex_lock(&m);
        seen = x;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
