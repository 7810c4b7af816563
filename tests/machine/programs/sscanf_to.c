// What is scanned is stored number by number.
#include <pthread.h>
#include <stdio.h>

static int i, j;
static long x;

static void *first(void *arg)
{
    sscanf("1 2", "%d %d", &i, &j);
    return 0;
}

static void *second(void *arg)
{
    x = i + 10 * j;
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
