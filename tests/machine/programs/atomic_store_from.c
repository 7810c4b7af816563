// What is stored atomically is read piece by piece before.
#include <pthread.h>
#include <stdio.h>

struct big { long a, b, c; };
static struct big s;
static long x;
static struct big w;

static void *first(void *arg)
{
    s.a = 1;
    s.b = 1;
    s.c = 1;
    return 0;
}

static void *second(void *arg)
{
    __atomic_store(&w, &s, 5);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld %ld %ld\n", (long)(w.a), (long)(w.b), (long)(w.c));
    return 0;
}
