/* After pthread_exit in main the other threads run to their end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    int first = x;
    int second = x;

    (void)arg;
    assert(!(first == 0 && second == 1));
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    x = 1;
    pthread_exit(NULL);
    x = 2;
    return 0;
}
