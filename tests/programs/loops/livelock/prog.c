/* A thread spins for a value that nobody writes: it runs for ever, and hangs. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;

static void *late(void *arg)
{
    (void)arg;

    while (stage != 2)
        ;
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, late, NULL);
    stage = 1;
    pthread_join(thread, NULL);
    return 0;
}
