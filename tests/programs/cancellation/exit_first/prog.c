/* A thread that ends by itself is not cancelled any more, neither in a handler. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int own, cleaned;

static void clean(void *unused)
{
    usleep(1);
    cleaned = 1;
}

static void *work(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    pthread_exit(&own);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == &own && cleaned);
    return 0;
}
