/* nanosleep reads how long to sleep from memory that has been freed. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static struct timespec *pause_time;

static void *sleeps(void *arg)
{
    nanosleep(pause_time, 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    pause_time = calloc(1, sizeof *pause_time);
    pthread_create(&t, 0, sleeps, 0);
    free(pause_time);
    pthread_join(t, 0);
    return 0;
}
