/* The string that perror prints is freed before. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *text;

static void *complains(void *arg)
{
    perror(text);
    return arg;
}

int main(void)
{
    pthread_t t;

    text = calloc(1, 4);
    pthread_create(&t, 0, complains, 0);
    free(text);
    pthread_join(t, 0);
    return 0;
}
