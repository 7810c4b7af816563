/* sem_getvalue looks first, and stores later. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int left;

static void *takes(void *arg)
{
    sem_wait(&s);
    sem_getvalue(&s, &left);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    sem_init(&s, 0, 2);
    pthread_create(&t, 0, takes, 0);
    pthread_create(&u, 0, takes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(left == 0);
    return 0;
}
