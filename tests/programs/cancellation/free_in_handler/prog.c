/* A handler frees what the thread would have freed itself. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *unused)
{
    int *buffer = malloc(sizeof *buffer);

    pthread_cleanup_push(free, buffer);
    *buffer = 1;
    usleep(1);
#ifdef TWICE
    free(buffer);
    usleep(1);
#endif
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
