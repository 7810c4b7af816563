/* A thread ends without giving its mutex back; main tries to take it for ever. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, keeps, 0);
    pthread_join(t, 0);
    while (pthread_mutex_trylock(&m) != 0)
        ;
    return 0;
}
