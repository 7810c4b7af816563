/* A thread passes on by value what its argument leads to, a local of main that main still
 * writes. */
#include <assert.h>
#include <pthread.h>

struct big { long a, b, c; };

static long difference(struct big s)
{
    return s.c - s.a;
}

static void *reader(void *arg)
{
    assert(difference(*(struct big *)arg) == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct big job = {1, 1, 1};

    pthread_create(&t, 0, reader, &job);
    job.a = 2;
    job.c = 2;
    pthread_join(t, 0);
    return 0;
}
