/* A reader never sees a half-done update. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;
static int x, y;

static void *writer(void *arg)
{
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    x++;
    y++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_rwlock_init(&lock, NULL);
    pthread_create(&t, NULL, writer, NULL);
#ifndef UNLOCKED
    pthread_rwlock_rdlock(&lock);
#endif
    assert(x == y);
#ifndef UNLOCKED
    pthread_rwlock_unlock(&lock);
#endif
    pthread_join(t, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
