/* Two threads with two accesses each, on two variables. */
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void load(int *place)
{
    int seen = *place;

    (void)seen;
}

static void *one(void *arg)
{
    (void)arg;
    ONE;
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    TWO;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
