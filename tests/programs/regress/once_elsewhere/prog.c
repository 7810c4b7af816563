/* One thread initialises with pthread_once, the other looks without it. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int begun, done;

static void initialise(void)
{
    begun = 1;
    done = 1;
}

static void *worker(void *arg)
{
    pthread_once(&control, initialise);
    assert(done);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    if (begun)
        assert(done);
    pthread_join(t, 0);
    return 0;
}
