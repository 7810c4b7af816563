/* Unlocking a read-write lock that the thread does not hold is undefined. */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *arg)
{
    (void)arg;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

#if defined READER
    pthread_rwlock_rdlock(&lock);
#elif defined WRITER
    pthread_rwlock_wrlock(&lock);
#endif
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
