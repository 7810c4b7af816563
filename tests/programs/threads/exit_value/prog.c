/* pthread_exit ends the thread from an inner function, with the value that join sees. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int after;

static void leave(int value)
{
    pthread_exit((void *)(long)value);
}

static void *run(void *arg)
{
    (void)arg;
    leave(7);
    after = 1;
    return (void *)8;
}

int main(void)
{
    pthread_t t;
    void *value;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, &value);
    assert((long)value == 7);
    assert(after == 0);
    return 0;
}
