// The time of a wait runs out while another thread has the mutex, which then wakes nobody.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec past = {1, 0};
static long x, y, waits;

static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    waits = 1;
    x = pthread_cond_timedwait(&c, &m, &past);
    waits = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    if (waits) {
        y = 1;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld %ld\n", (long)x, (long)y);
    return 0;
}
