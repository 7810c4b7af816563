// A number of 128 bits is read and written in two pieces.
#include <pthread.h>
#include <stdio.h>

static __int128 w;
static long x;

static void *first(void *arg)
{
    w = (__int128)1 << 64 | 1;
    return 0;
}

static void *second(void *arg)
{
    __int128 v = w;
    x = (long)(v >> 64) + 10 * (long)v;
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
