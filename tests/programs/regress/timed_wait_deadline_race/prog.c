/* A timed wait reads its deadline while another thread moves it. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct timespec deadline;

static void *mover(void *arg)
{
    deadline.tv_sec = 2;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, mover, 0);
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &deadline);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
