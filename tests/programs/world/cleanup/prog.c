/* Handlers give back a lock when a thread ends in the middle, in the opposite order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order, last;

static void unlock(void *m)
{
    order = order * 10 + 1;
    pthread_mutex_unlock(m);
}

static void note(void *number)
{
    order = order * 10 + *(int *)number;
}

static void fail(void)
{
    int three = 3;

    pthread_cleanup_push(note, &three);
    pthread_exit(&last);
    pthread_cleanup_pop(1);
}

static void *work(void *argument)
{
    int two = 2;

    pthread_mutex_lock(&mutex);
#ifdef FORGETS
    pthread_cleanup_push(note, &two);
#else
    pthread_cleanup_push(unlock, &mutex);
#endif
    pthread_cleanup_push(note, &two);
    if (argument)
        fail();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, &last);
    pthread_join(thread, &result);
    assert(result == &last);
    work(NULL);
    assert(order == 3211);
    return 0;
}
