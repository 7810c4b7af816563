/* Main starts a thread that starts a thread; all three store to one variable. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *inner(void *arg)
{
    (void)arg;
    x = 3;
    return NULL;
}

static void *outer(void *arg)
{
    pthread_t t;

    (void)arg;
    pthread_create(&t, NULL, inner, NULL);
    x = 2;
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, outer, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
