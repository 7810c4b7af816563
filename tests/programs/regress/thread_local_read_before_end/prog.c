/* Another thread's variable may be read until that thread ends, which is later than its last event. */
#include <pthread.h>
#include <semaphore.h>

static _Thread_local int mine;
static int *theirs;
static sem_t posted;

static void *run(void *arg)
{
    mine = 4;
    theirs = &mine;
    sem_post(&posted);
    return arg;
}

int main(void)
{
    pthread_t t;
    int found;

    sem_init(&posted, 0, 0);
    pthread_create(&t, 0, run, 0);
    sem_wait(&posted);
    found = *theirs;
    pthread_join(t, 0);
    return found - 4;
}
