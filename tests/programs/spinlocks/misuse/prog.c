/* Locking twice never ends; unlocking what one does not hold is undefined. */
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;

static void *run(void *arg)
{
    (void)arg;
#ifdef UNLOCK
    pthread_spin_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_spin_lock(&lock);
    return 0;
}
