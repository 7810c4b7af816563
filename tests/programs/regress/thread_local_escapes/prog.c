/* A thread hands out the address of its thread-local variable. */
#include <assert.h>
#include <pthread.h>

static _Thread_local int private;
static int *_Atomic published;

static void *worker(void *arg)
{
    published = &private;
    assert(private == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    int *p;

    pthread_create(&t, 0, worker, 0);
    p = published;
    if (p)
        *p = 1;
    pthread_join(t, 0);
    return 0;
}
