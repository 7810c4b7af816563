// Sizes of stacks that were set can be read.
#include <pthread.h>
#include <stdio.h>

static pthread_attr_t attributes;
static size_t size = 7;

static void *first(void *arg)
{
    pthread_attr_getstacksize(&attributes, &size);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    printf("%ld\n", (long)size);
    return 0;
}
