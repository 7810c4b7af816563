/* Both begin with the same lock, so whoever has it gets the other. */
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *takes_both(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m[0]);
        if (pthread_mutex_trylock(&m[1]) == 0)
            break;
        pthread_mutex_unlock(&m[0]);
    }
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, takes_both, 0);
    takes_both(0);
    pthread_join(t, 0);
    return 0;
}
