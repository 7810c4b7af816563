/* A thread that only looks, and comes back to where it was, must not stand in for one that errs. */
#include <pthread.h>

static int flag;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t never_locked = PTHREAD_MUTEX_INITIALIZER;

static void *looks(void *arg)
{
    while (flag <= 2)
        ;
    return arg;
}

static void *errs(void *arg)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    flag = 0;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&never_locked);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, looks, 0);
    pthread_create(&t[1], 0, errs, 0);
    return 0;
}
