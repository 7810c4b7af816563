/* Each thread waits for the other's post before it posts itself: a deadlock under every schedule.
   -DPOST_FIRST turns the first thread round, and the two meet. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t a, b;
static int x, y;

static void *one(void *arg)
{
    (void)arg;
    x = 1;
#ifdef POST_FIRST
    sem_post(&b);
    sem_wait(&a);
#else
    sem_wait(&a);
    sem_post(&b);
#endif
    assert(y == 1);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    y = 1;
    sem_wait(&b);
    sem_post(&a);
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
