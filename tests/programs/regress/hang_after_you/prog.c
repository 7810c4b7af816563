/* Two polite threads: each gives way while the other wants to go in, and wants again. In step, they
 * do so for ever. */
#include <pthread.h>
#include <sched.h>

static volatile int wants[2];

static void *enters(void *arg)
{
    int me = (int)(long)arg;

    wants[me] = 1;
    while (wants[1 - me]) {
        wants[me] = 0;
        sched_yield();
        wants[me] = 1;
    }
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, enters, (void *)1);
    enters((void *)0);
    pthread_join(t, 0);
    return 0;
}
