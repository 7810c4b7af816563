/* What is passed by value is freed by another thread before the copy is made. */
#include <pthread.h>
#include <stdlib.h>

struct big { long v[4]; };
static struct big *p;
static long seen;

static void take(struct big s)
{
    seen = s.v[0];
}

static void *reader(void *arg)
{
    take(*p);
    return arg;
}

int main(void)
{
    pthread_t t;

    p = calloc(1, sizeof *p);
    pthread_create(&t, 0, reader, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
