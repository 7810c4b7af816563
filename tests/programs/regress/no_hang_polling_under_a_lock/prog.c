/* The producer polls for room, the consumer for an item: both get on. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int full;

static void *consumes(void *arg)
{
    for (int got = 0; got < 2;) {
        pthread_mutex_lock(&m);
        if (full) {
            full = 0;
            got++;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, consumes, 0);
    for (int put = 0; put < 2;) {
        pthread_mutex_lock(&m);
        if (!full) {
            full = 1;
            put++;
        }
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
