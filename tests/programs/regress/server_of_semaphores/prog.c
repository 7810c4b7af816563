/* Two threads hand a turn to and fro for ever, by semaphores. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int turn;

static void *answers(void *arg)
{
    for (;;) {
        sem_wait(&ping);
        assert(turn == 1);
        turn = 0;
        sem_post(&pong);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 1);
    pthread_create(&t, 0, answers, 0);
    for (;;) {
        sem_wait(&pong);
        turn = 1;
        sem_post(&ping);
    }
    return 0;
}
