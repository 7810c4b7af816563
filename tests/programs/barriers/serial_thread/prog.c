/* Exactly one of those who meet is told that it is the serial thread, but not a certain one. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int serial[2];

static void *run(void *arg)
{
    int result = pthread_barrier_wait(&barrier);

    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial[(long)arg] = result == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_barrier_init(&barrier, NULL, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(serial[0] + serial[1] == 1);
#ifdef WHO
    assert(serial[WHO]);
#endif
    return 0;
}
