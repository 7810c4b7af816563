/* The stack of main is gone once main has left by pthread_exit. */
#include <pthread.h>
#include <stddef.h>

static void *run(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int local = 0;

    pthread_create(&t, NULL, run, &local);
    pthread_exit(NULL);
}
