/* A store counts although its thread then ends the program: another thread may see it before. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    exit(0);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    assert(x == 0);
    pthread_join(t, NULL);
    return 0;
}
