/* A thread that ends does not unlock what it holds. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    return 0;
}
