/* Two threads hand a turn to and fro for ever, by spinning: both go round, but the turn changes. */
#include <pthread.h>

static volatile int turn;

static void *serves(void *arg)
{
    for (;;) {
        while (turn != 1)
            ;
        turn = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, serves, 0);
    for (;;) {
        while (turn != 0)
            ;
        turn = 1;
    }
    return 0;
}
