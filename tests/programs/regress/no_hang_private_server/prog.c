/* A loop without an exit is what its thread is there for, with loops in it that are left. */
#include <pthread.h>

static int light;

static void *blinks(void *arg)
{
    (void)arg;
    for (;;)
        for (int i = 0; i < 3; i++)
            light = !light;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, blinks, 0);
    pthread_join(t, 0);
    return 0;
}
