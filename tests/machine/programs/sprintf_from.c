// A text that is formatted is read character by character.
#include <pthread.h>
#include <stdio.h>

static char text[4], from[4] = "12";

static void *first(void *arg)
{
    sprintf(text, "%s", from);
    return 0;
}

static void *second(void *arg)
{
    from[0] = '3';
    from[1] = '4';
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld %ld\n", (long)(text[0]), (long)(text[1]));
    return 0;
}
