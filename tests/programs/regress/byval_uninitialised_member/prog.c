/* A member that was never set may be copied along by value, as long as nobody looks at it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct big { long a, b, c; };

static void take(struct big s)
{
    assert(s.a == 1);
}

static void *reader(void *arg)
{
    take(*(struct big *)arg);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct big *p = malloc(sizeof *p);

    p->a = 1;
    pthread_create(&t, 0, reader, p);
    take(*p);
    pthread_join(t, 0);
    free(p);
    return 0;
}
