/* A thread hands out memory of its stack frame. */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static int *_Atomic published;

static void *worker(void *arg)
{
    int *private = alloca(2 * sizeof(int));

    private[1] = 0;
    published = private;
    assert(private[1] == 0);
    published = 0;
    return arg;
}

int main(void)
{
    pthread_t t;
    int *p;

    pthread_create(&t, 0, worker, 0);
    p = published;
    if (p)
        p[1] = 1;
    return 0;
}
