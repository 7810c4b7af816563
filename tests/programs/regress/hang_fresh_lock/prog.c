/* A lock on the heap that only the polling thread uses, a new one in each round. */
#include <pthread.h>
#include <stdlib.h>

static _Atomic int flag;

static void *polls(void *arg)
{
    while (!flag) {
        pthread_mutex_t *m = malloc(sizeof *m);

        pthread_mutex_init(m, 0);
        free(m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, polls, 0);
    pthread_join(t, 0);
    return 0;
}
