/* abort is an error of its own, if it is asked for. */
#include <pthread.h>
#include <stdlib.h>

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

    pthread_create(&t, NULL, run, NULL);
    if (x)
        abort();
    pthread_join(t, NULL);
    return 0;
}
