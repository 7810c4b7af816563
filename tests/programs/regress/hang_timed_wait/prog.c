/* A timed wait times out again and again: nobody sets the flag. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
    struct timespec deadline = {1, 0};

    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_timedwait(&c, &m, &deadline);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waits, 0);
    pthread_join(t, 0);
    return 0;
}
