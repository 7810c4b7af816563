// What was exchanged is stored piece by piece.
#include <pthread.h>
#include <stdio.h>

struct big { long a, b, c; };
static struct big s;
static long x;
static struct big w = {1, 1, 1}, n;

static void *first(void *arg)
{
    __atomic_exchange(&w, &n, &s, 5);
    return 0;
}

static void *second(void *arg)
{
    x = s.a + 10 * s.b + 100 * s.c;
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
