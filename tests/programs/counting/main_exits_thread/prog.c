/* Main leaves by pthread_exit: the others have the rest of the execution for themselves. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    x = (int)(long)arg;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, (void *)1);
    pthread_create(&t, NULL, run, (void *)2);
    pthread_exit(NULL);
}
