/* Who is cancelled while it holds a mutex leaves it locked; waiting for a mutex is no point. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef POINT
    usleep(1);
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_cancel(first);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
