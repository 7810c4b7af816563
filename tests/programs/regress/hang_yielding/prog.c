/* Each of two threads yields until it is its turn, and the turn is nobody's. */
#include <pthread.h>
#include <sched.h>

static volatile int turn;

static void *waits(void *arg)
{
    while (turn != (int)(long)arg)
        sched_yield();
    turn = 3 - turn;
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waits, (void *)1);
    waits((void *)2);
    pthread_join(t, 0);
    return 0;
}
