/* A thread is cancelled while it waits for a semaphore, and has not taken it. */
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
    void *result;
    int left;

    sem_init(&tokens, 0, 0);
    pthread_create(&thread, NULL, take, NULL);
#ifdef EITHER
    sem_post(&tokens);
#endif
    pthread_cancel(thread);
    pthread_join(thread, &result);
    sem_getvalue(&tokens, &left);
#ifdef EITHER
    assert(left == !taken);
#else
    assert(left == 0 && !taken && result == PTHREAD_CANCELED);
#endif
    assert((result == PTHREAD_CANCELED) == !taken);
#ifdef NEVER_TAKEN
    assert(!taken);
#endif
    return 0;
}
