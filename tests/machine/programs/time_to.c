// The time is stored where the argument says.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static time_t now = -1;

static void *first(void *arg)
{
    time(&now);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    printf("%ld\n", (long)(now == -1));
    return 0;
}
