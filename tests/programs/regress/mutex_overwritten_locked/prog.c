/* The memory of a mutex is overwritten before it is taken: whoever takes it waits for nobody. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    memset(&m, 0x7f, sizeof(int));
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
