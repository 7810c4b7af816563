// Whether a mutex is shared by processes can be read.
#include <pthread.h>
#include <stdio.h>

static pthread_mutexattr_t attributes;
static int shared = 7;

static void *first(void *arg)
{
    pthread_mutexattr_getpshared(&attributes, &shared);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_mutexattr_init(&attributes);
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    printf("%ld\n", (long)shared);
    return 0;
}
