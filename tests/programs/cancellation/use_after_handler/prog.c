/* What a handler takes away may still be used by who has cancelled the thread. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int *shared;

static void drop(void *unused)
{
    free(shared);
}

static void *work(void *unused)
{
    pthread_cleanup_push(drop, NULL);
    pause();
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t thread;

    shared = calloc(1, sizeof *shared);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
#ifdef EARLY
    pthread_join(thread, NULL);
    return *shared;
#else
    pthread_join(thread, NULL);
    return 0;
#endif
}
