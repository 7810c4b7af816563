/* A timed lock that has to wait reads its deadline, which another thread writes. */
#include <pthread.h>
#include <time.h>

static struct timespec deadline;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg)
{
    if (pthread_mutex_timedlock(&m, &deadline) == 0)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&m);
    pthread_create(&t, 0, locks, 0);
    deadline.tv_sec = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
