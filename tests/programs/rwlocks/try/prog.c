/* tryrdlock and trywrlock against a reader and against a writer. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *against_reader(void *arg)
{
    (void)arg;
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return NULL;
}

static void *against_writer(void *arg)
{
    (void)arg;
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, against_reader, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    pthread_create(&t, NULL, against_writer, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
