/* Main looks once and returns, whatever the thread has done. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, run, NULL);
    seen = x;
    (void)seen;
    return 0;
}
