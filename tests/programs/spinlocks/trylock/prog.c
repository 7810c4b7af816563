/* spin_trylock fails exactly while the lock is held. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;

static void *run(void *arg)
{
    (void)arg;
    assert(pthread_spin_trylock(&lock) == EBUSY);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_spin_init(&lock, 0);
    assert(pthread_spin_trylock(&lock) == 0);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    assert(pthread_spin_unlock(&lock) == 0);
    assert(pthread_spin_trylock(&lock) == 0);
    return 0;
}
