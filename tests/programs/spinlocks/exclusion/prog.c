/* A spin lock protects a counter. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *arg)
{
    (void)arg;
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
