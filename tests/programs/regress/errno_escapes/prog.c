/* A thread hands out the address of its errno. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int *_Atomic published;

static void *worker(void *arg)
{
    errno = 0;
    published = &errno;
    assert(errno == 0);
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
