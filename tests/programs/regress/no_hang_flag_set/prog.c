/* The flag is set after a while. */
#include <pthread.h>
#include <sched.h>

static volatile int flag;

static void *reads(void *arg)
{
    while (!flag)
        sched_yield();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reads, 0);
    for (int i = 0; i < 3; i++)
        sched_yield();
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
