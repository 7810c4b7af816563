// A text is written character by character.
#include <pthread.h>
#include <stdio.h>

static char text[4];
static long x;

static void *first(void *arg)
{
    sprintf(text, "%d", 12);
    return 0;
}

static void *second(void *arg)
{
    x = text[0] + 1000 * text[1];
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld\n", (long)x);
    return 0;
}
