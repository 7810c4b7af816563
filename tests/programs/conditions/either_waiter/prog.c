/* Also the waiter that came last can be the one that is woken. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int came, last, woken;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    came++;
    last = (int)(long)arg;
    pthread_cond_wait(&go, &m);
    woken = (int)(long)arg;
    assert(came < 2 || woken WHO last);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, (void *)1);
    pthread_create(&t, NULL, waiter, (void *)2);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&go);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
