/* Who has begun to wait may still take the semaphore after it was cancelled, and somebody can see
 * that it was there in between. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int taken;

static void *take(void *unused)
{
    sem_wait(&tokens);
    taken = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen;

    sem_init(&tokens, 0, 0);
    pthread_create(&thread, NULL, take, NULL);
    sem_post(&tokens);
    pthread_cancel(thread);
    sem_getvalue(&tokens, &seen);
    pthread_join(thread, NULL);
    assert(!(seen && taken));
    return 0;
}
