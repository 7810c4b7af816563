/* What the polling thread writes in each round, nobody else looks at. */
#include <pthread.h>

static int flag, phase;

static void *polls(void *arg)
{
    while (!flag)
        phase = !phase;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, polls, 0);
    flag = 0;
    pthread_join(t, 0);
    return 0;
}
