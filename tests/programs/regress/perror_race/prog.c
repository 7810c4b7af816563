/* The string that perror prints is written meanwhile. */
#include <pthread.h>
#include <stdio.h>

static char text[4] = "a";

static void *complains(void *arg)
{
    perror(text);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, complains, 0);
    text[0] = 'b';
    pthread_join(t, 0);
    return 0;
}
