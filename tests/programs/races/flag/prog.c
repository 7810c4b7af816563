/* A flag orders the accesses if it is atomic; if it is plain, it is a race itself. */
#include <pthread.h>
#include <stddef.h>

static int data;
static QUALIFIER int ready;

static void *run(void *arg)
{
    (void)arg;
    data = 1;
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    while (!ready)
        ;
    data = 2;
    pthread_join(t, NULL);
    return 0;
}
