/* glibc's streams are variables. */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *work(void *arg)
{
    shared = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    FILE *other = fopen("/dev/null", "r");

    if (other)
        stdin = other;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
