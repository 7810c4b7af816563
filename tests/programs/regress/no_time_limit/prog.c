/* A limit is read, so that there has to be one. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t taken;
    struct timespec *limit = 0;
    sem_init(&taken, 0, 0);
    sem_timedwait(&taken, limit);
    return 0;
}
