/* strdup measures a string, and then copies one that has become longer. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[3];

static void *grows(void *arg)
{
    text[0] = 'a';
    return arg;
}

int main(void)
{
    pthread_t t;
    char *copy;

    pthread_create(&t, 0, grows, 0);
    copy = strdup(text);
    pthread_join(t, 0);
    strlen(copy);
    free(copy);
    return 0;
}
