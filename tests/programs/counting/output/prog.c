/* What threads print is part of the result. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *run(void *arg)
{
    puts(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, run, "a");
    pthread_create(&t[1], NULL, run, "b");
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
