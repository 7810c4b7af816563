/* A driver counts pending requests and stops when there are none (after Qadeer and Wu's Bluetooth
   driver). -DBROKEN looks for the stop before it counts the request: work on a stopped driver. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int pending = 1, stopping, idle, stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&pending, 1) == 1)
        idle = 1;
}

static int enter(void)
{
#ifdef BROKEN
    if (stopping)
        return 0;
    pending++;
#else
    pending++;
    if (stopping) {
        leave();
        return 0;
    }
#endif
    return 1;
}

static void *request(void *arg)
{
    (void)arg;
    if (enter()) {
        assert(!stopped);
        leave();
    }
    return NULL;
}

static void *stop(void *arg)
{
    (void)arg;
    stopping = 1;
    leave();
    while (!idle)
        ;
    stopped = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, request, NULL);
    pthread_create(&t[1], NULL, request, NULL);
    pthread_create(&t[2], NULL, stop, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
