/* pthread_setcancelstate stores the old state where another thread reads. */
#include <assert.h>
#include <pthread.h>

static int old = 7;

static void *worker(void *arg)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    return arg;
}

int main(void)
{
    pthread_t t;
    int once, again;

    pthread_create(&t, 0, worker, 0);
    once = old;
    again = old;
    pthread_join(t, 0);
    assert(once == again);
    return 0;
}
