/* A limit is read, so that there has to be one. */
#include <pthread.h>

int main(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, 0);
    return 0;
}
