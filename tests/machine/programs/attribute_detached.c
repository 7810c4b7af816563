// Attributes of threads can be read.
#include <pthread.h>
#include <stdio.h>

static pthread_attr_t attributes;
static int state = 7;

static void *first(void *arg)
{
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_attr_init(&attributes);
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    printf("%ld\n", (long)(state == PTHREAD_CREATE_DETACHED));
    return 0;
}
