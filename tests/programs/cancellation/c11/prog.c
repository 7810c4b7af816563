/* The waits of <threads.h> are cancellation points, too, since POSIX has them. */
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t ready;

static void give_back(void *m)
{
    mtx_unlock(m);
}

static void *wait(void *unused)
{
    mtx_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    for (;;)
        cnd_wait(&ready, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    mtx_init(&mutex, mtx_plain);
    cnd_init(&ready);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    mtx_lock(&mutex);
    return 0;
}
