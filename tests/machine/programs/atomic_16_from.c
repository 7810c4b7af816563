// Sixteen bytes that are stored atomically are read in two pieces before.
#include <pthread.h>
#include <stdio.h>

struct duo { _Alignas(16) long a; long b; };
static struct duo s, w;

static void *first(void *arg)
{
    s.a = 1;
    s.b = 1;
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
    printf("%ld %ld\n", (long)(w.a), (long)(w.b));
    return 0;
}
