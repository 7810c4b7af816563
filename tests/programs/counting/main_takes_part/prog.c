/* Main stores between create and join. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg)
{
    (void)arg;
    x = 1;
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    x = 3;
    pthread_join(t, NULL);
    return 0;
}
