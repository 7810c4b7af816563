/* An item is dropped when the slot is full; the consumer polls for it, lock by lock, for ever. */
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
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        full = 1; /* whether or not there is room */
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
