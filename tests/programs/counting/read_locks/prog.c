/* Two readers of a read-write lock do not order each other. */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
