// Memory that overlaps is moved piece by piece, from its end.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static long r[3] = {1, 2, 3};

static void *first(void *arg)
{
    memmove(r + 1, r, 2 * sizeof *r);
    return 0;
}

static void *second(void *arg)
{
    r[0] = 7;
    r[1] = 8;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld %ld %ld\n", (long)(r[0]), (long)(r[1]), (long)(r[2]));
    return 0;
}
