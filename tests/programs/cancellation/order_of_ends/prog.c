/* Handlers run in the opposite order, out of the functions they were set in; then destructors. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_key_t key;
static int order;

static void note(void *number)
{
    order = order * 10 + *(int *)number;
    usleep(1); /* no second cancellation */
}

static void inner(void)
{
    int three = 3;

    pthread_cleanup_push(note, &three);
    pthread_testcancel();
    pthread_cleanup_pop(0);
}

static void *work(void *unused)
{
    static int one = 1;
    int two = 2;

    pthread_setspecific(key, &one);
    pthread_cleanup_push(note, &two);
    pthread_cancel(pthread_self());
    inner();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_key_create(&key, note);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && order == 321);
    return 0;
}
