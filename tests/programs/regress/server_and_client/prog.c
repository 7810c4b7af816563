/* A producer and a consumer exchange items for ever, with a condition variable. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumes(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&c, &m);
        full = 0;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, consumes, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&c, &m);
        full = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
